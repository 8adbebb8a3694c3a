/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names for lanes_siphash.h by way of chunks (lanes_chunks.h): for CPUs that
 * cannot load a part of a vector, to the byte.
 */
/* The number of words of each name of vector g. */
static inline lanes64 lanes_count(const struct chunks *c, unsigned g)
{
	lanes64 n;

	memcpy(&n, &c->n_words[g * LANES64], sizeof(n));
	return n;
}

/* The last word: up to seven bytes, zeros, and the length's low byte. */
static inline void siphash_fill(struct chunks *c,
				const struct dirhash_text *names, size_t n)
{
	struct dirhash_text room[NAMES64];

	names = whole_group(names, n, NAMES64, room);
	set_limits(c, names[0].len, names[NAMES64 - 1].len, SIPHASH_ROUND,
		   SIPHASH_SHIFT);
	if (c->most_pieces == 1) {
		for (unsigned i = 0; i < NAMES64; i++)
			c->only[i] = dirhash_last_word(names[i].name,
						       names[i].len);
		return;
	}
	for (unsigned i = 0; i < NAMES64; i++) {
		const struct dirhash_text t = names[i];
		size_t rest = t.len % CHUNK;

		copy_rest(c->rest[i], t.name + (t.len - rest), rest, 0);
		c->rest[i][rest | 7] = (uint8_t)t.len;
		c->len[i] = (uint32_t)t.len;
	}
	if (c->most_whole > 0)
		for (unsigned i = 0; i < NAMES64; i++)
			c->name[i] = names[i].name;
	if (c->least_pieces < c->most_pieces)
		for (unsigned i = 0; i < NAMES64; i++)
			c->n_words[i] = (names[i].len + SIPHASH_ROUND) >>
					SIPHASH_SHIFT;
}

/* Names shorter than a word have nothing that is to be put side by side. */
static inline void siphash_only(struct siphash_lanes *s, const uint64_t *word)
{
	EACH_GROUP64 {
		lanes64 v;

		memcpy(&v, word + g * LANES64, sizeof(v));
		siphash_absorb(&s[g], v);
	}
}

/* A chunk whose words all names have. */
static inline void siphash_whole(struct siphash_lanes *s,
				 const uint8_t *const *place, size_t offset)
{
	lanes64 word[LANES_GROUPS64][CHUNK_WORDS64];

	EACH_GROUP64 lanes_words64(place + g * LANES64, offset, word[g]);
	UNROLL for (unsigned i = 0; i < CHUNK_WORDS64; i++)
		EACH_GROUP64 siphash_absorb(&s[g], word[g][i]);
}

/* A chunk in which names end, word by word. */
static inline void siphash_last(struct siphash_lanes *s,
				const struct chunks *c, uint32_t at)
{
	lanes64 word[LANES_GROUPS64][CHUNK_WORDS64];
	const uint8_t *room[NAMES64];
	const uint8_t *const *place;
	size_t offset = chunk_places(c, NAMES64, at, room, &place);
	uint32_t w = at * CHUNK_WORDS64;

	EACH_GROUP64 lanes_words64(place + g * LANES64, offset, word[g]);
	for (unsigned i = 0; i < CHUNK_WORDS64 && w < c->most_pieces; i++, w++)
		if (w < c->least_pieces)
			EACH_GROUP64 siphash_absorb(&s[g], word[g][i]);
		else
			EACH_GROUP64 siphash_absorb_some(&s[g], word[g][i],
					lanes_count(c, g), w);
}

static inline void siphash_group(const uint8_t *key, const struct chunks *c,
				 struct dirhash *out)
{
	struct siphash_lanes s[LANES_GROUPS64];
	uint32_t at;

	siphash_begin(s, key);
	if (c->most_pieces == 1) {
		siphash_only(s, c->only);
		siphash_end(s, out);
		return;
	}
	for (at = 0; at < c->least_whole; at++)
		siphash_whole(s, c->name, at * CHUNK);
	for (; at * CHUNK_WORDS64 < c->most_pieces; at++)
		siphash_last(s, c, at);
	siphash_end(s, out);
}

/* As each_group32(). */
static void siphash(const uint8_t *key, const struct dirhash_text *names,
		    size_t n, struct dirhash *out)
{
	struct chunks c[2];
	unsigned turn = 0;

	chunks_init(&c[0]);
	chunks_init(&c[1]);
	siphash_fill(&c[0], names, n);
	for (size_t at = 0; at < n; at += NAMES64, turn ^= 1) {
		size_t next = at + NAMES64;

		if (next < n)
			siphash_fill(&c[turn ^ 1], names + next, n - next);
		siphash_group(key, &c[turn], out + at);
	}
}
