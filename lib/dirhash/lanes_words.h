/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What half_md4 and tea share, for lanes.h: 32-bit words of a name, and their
 * padding.  See words.h.
 */
/*
 * The word with the name's last len % 4 bytes below the padding, as bytes in
 * the order of the name.
 */
static inline uint32_t partial_word(const uint8_t *name, size_t len,
				    uint32_t pad)
{
	unsigned bits = 8 * (len & 3);
	uint32_t word = 0;

	if (len >= 4)
		word = __builtin_bswap32(dirhash_le32(name + len - 4)) &
		       ((1u << bits) - 1);
	else
		for (size_t i = 0; i < len; i++)
			word = word << 8 | name[i];
	return __builtin_bswap32(pad << bits | word);
}

/*
 * The padding is the length of the last piece in every byte, thus less than
 * 0x80: what is done about negative bytes later does nothing to it.
 */
static inline void fill_rest(uint8_t *to, const uint8_t *name, size_t len,
			     unsigned shift)
{
	size_t rest = len % CHUNK;
	uint32_t pad = ((uint32_t)len - 1) % (1u << shift) + 1, word;

	copy_rest(to, name + (len - rest), rest, (uint8_t)pad);
	word = htole32(partial_word(name, len, pad * 0x01010101u));
	memcpy(to + (rest & ~3u), &word, sizeof(word));
}

/* Where lanes_words32() wants the name of lane i of a group. */
static inline unsigned slot(unsigned i)
{
	unsigned g = i / LANES32 * LANES32, in = i % LANES32;

	return g + in / 4 * 2 + in % 2 + (in & 2 ? LANES64 : 0);
}

static inline void fill32(struct chunks *c, const struct dirhash_text *names,
			  size_t n, unsigned shift)
{
	unsigned round = (1u << shift) - 1;
	struct dirhash_text room[NAMES32];

	names = whole_group(names, n, NAMES32, room);
	set_limits(c, names[0].len, names[NAMES32 - 1].len, round, shift);
	for (unsigned i = 0; i < NAMES32; i++) {
		const struct dirhash_text t = names[i];

		fill_rest(c->rest[slot(i)], t.name, t.len, shift);
		c->len[slot(i)] = (uint32_t)t.len;
	}
	if (c->most_whole > 0)
		for (unsigned i = 0; i < NAMES32; i++)
			c->name[slot(i)] = names[i].name;
	if (c->least_pieces < c->most_pieces)
		for (unsigned i = 0; i < NAMES32; i++)
			c->n_pieces[i] = (c->len[slot(i)] + round) >> shift;
}

/* As dirhash_word(): a negative byte borrows one from the byte above it. */
static inline lanes32 to_word(lanes32 v, bool is_signed)
{
	v = lanes_swap_bytes(v);
	return is_signed ? v - ((v & 0x00808080u) << 1) : v;
}

static inline void chunk_words32(const struct chunks *c, uint32_t at,
				 lanes32 (*in)[CHUNK_WORDS32], bool is_signed)
{
	const uint8_t *room[NAMES32];
	const uint8_t *const *place;
	size_t offset = chunk_places(c, NAMES32, at, room, &place);

	EACH_GROUP32 {
		lanes_words32(place + g * LANES32, offset, in[g]);
		UNROLL for (unsigned w = 0; w < CHUNK_WORDS32; w++)
			in[g][w] = to_word(in[g][w], is_signed);
	}
}

/* The lanes of group g that have a piece p. */
static inline lanes32 have_piece(const struct chunks *c, uint32_t p, unsigned g)
{
	lanes32 n;

	if (p < c->least_pieces)
		return lanes_all32(UINT32_MAX);
	memcpy(&n, &c->n_pieces[g * LANES32], sizeof(n));
	return (lanes32)(n > p);
}

static inline void store32(const lanes32 *hash, const lanes32 *minor_hash,
			   struct dirhash *out)
{
	uint32_t h[NAMES32], m[NAMES32];

	EACH_GROUP32 {
		memcpy(&h[g * LANES32], &hash[g], sizeof(hash[g]));
		memcpy(&m[g * LANES32], &minor_hash[g], sizeof(minor_hash[g]));
	}
	for (size_t i = 0; i < NAMES32; i++)
		out[i] = (struct dirhash){ dirhash_major(h[i]), m[i] };
}

/* Names of pieces of 1 << shift bytes; `group` hashes one group. */
typedef void group32(const uint8_t *seed, const struct chunks *c,
		     struct dirhash *out, bool is_signed);

/*
 * Inlined with what it calls, a loop for each hash.  The next names' ends are
 * copied before the names at hand are hashed: loads of vectors wait for small
 * stores just before them.
 */
static inline __attribute__((always_inline)) void
each_group32(const uint8_t *seed, const struct dirhash_text *names, size_t n,
	     struct dirhash *out, bool is_signed, unsigned shift, group32 *group)
{
	struct chunks c[2];
	unsigned turn = 0;

	chunks_init(&c[0]);
	chunks_init(&c[1]);
	fill32(&c[0], names, n, shift);
	for (size_t at = 0; at < n; at += NAMES32, turn ^= 1) {
		size_t next = at + NAMES32;

		if (next < n)
			fill32(&c[turn ^ 1], names + next, n - next, shift);
		group(seed, &c[turn], out + at, is_signed);
	}
}
