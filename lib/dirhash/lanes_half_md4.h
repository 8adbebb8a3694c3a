/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Version 1, half_md4, in lanes; for lanes.h.  See half_md4.c. */
#define MD4_SHIFT	5		/* 32 bytes a piece: a chunk */

static inline lanes32 choose(lanes32 x, lanes32 y, lanes32 z)
{
	return z ^ (x & (y ^ z));
}

static inline lanes32 majority(lanes32 x, lanes32 y, lanes32 z)
{
	return (x & y) | ((x | y) & z);
}

static inline lanes32 parity(lanes32 x, lanes32 y, lanes32 z)
{
	return x ^ y ^ z;
}

struct md4_lanes {
	lanes32 a, b, c, d;
};

#define STEP(f, k, a, b, c, d, w, n)					\
	EACH_GROUP32 t[g].a = lanes_rotate32(t[g].a + in[g][w] + k +	\
					   f(t[g].b, t[g].c, t[g].d), n)

#define FOUR_STEPS(f, k, w0, s0, w1, s1, w2, s2, w3, s3) do {	\
	STEP(f, k, a, b, c, d, w0, s0);				\
	STEP(f, k, d, a, b, c, w1, s1);				\
	STEP(f, k, c, d, a, b, w2, s2);				\
	STEP(f, k, b, c, d, a, w3, s3);				\
} while (0)

static inline void md4_steps(struct md4_lanes *t, lanes32 (*in)[CHUNK_WORDS32])
{
	FOUR_STEPS(choose, 0u, 0, 3, 1, 7, 2, 11, 3, 19);
	FOUR_STEPS(choose, 0u, 4, 3, 5, 7, 6, 11, 7, 19);
	FOUR_STEPS(majority, 0x5a827999u, 1, 3, 3, 5, 5, 9, 7, 13);
	FOUR_STEPS(majority, 0x5a827999u, 0, 3, 2, 5, 4, 9, 6, 13);
	FOUR_STEPS(parity, 0x6ed9eba1u, 3, 3, 7, 9, 2, 11, 6, 15);
	FOUR_STEPS(parity, 0x6ed9eba1u, 1, 3, 5, 9, 0, 11, 4, 15);
}

/* A piece is a chunk. */
static inline void md4_piece(struct md4_lanes *s, const struct chunks *c,
			     uint32_t p, bool is_signed)
{
	lanes32 in[LANES_GROUPS32][CHUNK_WORDS32];
	struct md4_lanes t[LANES_GROUPS32];

	chunk_words32(c, p, in, is_signed);
	EACH_GROUP32 t[g] = s[g];
	md4_steps(t, in);
	EACH_GROUP32 {
		lanes32 has = have_piece(c, p, g);

		s[g].a += t[g].a & has;
		s[g].b += t[g].b & has;
		s[g].c += t[g].c & has;
		s[g].d += t[g].d & has;
	}
}

static inline void md4_group(const uint8_t *seed, const struct chunks *c,
			     struct dirhash *out, bool is_signed)
{
	lanes32 hash[LANES_GROUPS32], minor_hash[LANES_GROUPS32];
	struct md4_lanes s[LANES_GROUPS32];

	EACH_GROUP32 s[g] = (struct md4_lanes) {
		lanes_all32(dirhash_le32(seed)),
		lanes_all32(dirhash_le32(seed + 4)),
		lanes_all32(dirhash_le32(seed + 8)),
		lanes_all32(dirhash_le32(seed + 12))
	};
	for (uint32_t p = 0; p < c->most_pieces; p++)
		md4_piece(s, c, p, is_signed);
	EACH_GROUP32 {
		hash[g] = s[g].b;
		minor_hash[g] = s[g].c;
	}
	store32(hash, minor_hash, out);
}

static void half_md4(const uint8_t *seed, const struct dirhash_text *names,
		     size_t n, struct dirhash *out)
{
	each_group32(seed, names, n, out, true, MD4_SHIFT, md4_group);
}

static void half_md4_unsigned(const uint8_t *seed,
			      const struct dirhash_text *names, size_t n,
			      struct dirhash *out)
{
	each_group32(seed, names, n, out, false, MD4_SHIFT, md4_group);
}
