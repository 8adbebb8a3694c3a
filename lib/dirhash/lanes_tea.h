/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Version 2, tea, in lanes; for lanes.h.  See tea.c. */
#define TEA_WORDS	4		/* of a piece, of which a chunk has two */
#define TEA_SHIFT	4		/* 16 bytes a piece */
#define TEA_ROUNDS	16
#define TEA_DELTA	0x9e3779b9u

struct tea_lanes {
	lanes32 left, right;
};

static inline lanes32 tea_half(lanes32 v, lanes32 k0, lanes32 k1, uint32_t sum)
{
	return ((v << 4) + k0) ^ (v + sum) ^ ((v >> 5) + k1);
}

static inline void tea_piece(struct tea_lanes *s, const struct chunks *c,
			     uint32_t p, lanes32 (*in)[CHUNK_WORDS32],
			     unsigned k)
{
	struct tea_lanes t[LANES_GROUPS32];
	uint32_t sum = 0;

	EACH_GROUP32 t[g] = s[g];
	for (int i = 0; i < TEA_ROUNDS; i++) {
		sum += TEA_DELTA;
		EACH_GROUP32 t[g].left += tea_half(t[g].right, in[g][k],
						 in[g][k + 1], sum);
		EACH_GROUP32 t[g].right += tea_half(t[g].left, in[g][k + 2],
						  in[g][k + 3], sum);
	}
	EACH_GROUP32 {
		lanes32 has = have_piece(c, p, g);

		s[g].left += t[g].left & has;
		s[g].right += t[g].right & has;
	}
}

static inline void tea_group(const uint8_t *seed, const struct chunks *c,
			     struct dirhash *out, bool is_signed)
{
	lanes32 in[LANES_GROUPS32][CHUNK_WORDS32];
	lanes32 hash[LANES_GROUPS32], minor_hash[LANES_GROUPS32];
	struct tea_lanes s[LANES_GROUPS32];

	EACH_GROUP32 s[g] = (struct tea_lanes) {
		lanes_all32(dirhash_le32(seed)),
		lanes_all32(dirhash_le32(seed + 4))
	};
	for (uint32_t p = 0; p < c->most_pieces; p += 2) {
		chunk_words32(c, p / 2, in, is_signed);
		tea_piece(s, c, p, in, 0);
		if (p + 1 < c->most_pieces)
			tea_piece(s, c, p + 1, in, TEA_WORDS);
	}
	EACH_GROUP32 {
		hash[g] = s[g].left;
		minor_hash[g] = s[g].right;
	}
	store32(hash, minor_hash, out);
}

static void tea(const uint8_t *seed, const struct dirhash_text *names,
		size_t n, struct dirhash *out)
{
	each_group32(seed, names, n, out, true, TEA_SHIFT, tea_group);
}

static void tea_unsigned(const uint8_t *seed, const struct dirhash_text *names,
			 size_t n, struct dirhash *out)
{
	each_group32(seed, names, n, out, false, TEA_SHIFT, tea_group);
}
