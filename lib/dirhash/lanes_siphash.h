/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Version 6, siphash, in lanes; for lanes.h. */
/* A name of len bytes has (len + 8) / 8 words; the last has 0 to 7 of them. */
#define SIPHASH_ROUND	8
#define SIPHASH_SHIFT	3

struct siphash_lanes {
	lanes64 v0, v1, v2, v3;
};

static inline void siphash_round(struct siphash_lanes *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = lanes_rotate64(s->v1, 13) ^ s->v0;
	s->v3 = lanes_rotate64_16(s->v3) ^ s->v2;
	s->v0 = lanes_rotate64_32(s->v0);
	s->v2 += s->v1;
	s->v0 += s->v3;
	s->v1 = lanes_rotate64(s->v1, 17) ^ s->v2;
	s->v3 = lanes_rotate64(s->v3, 21) ^ s->v0;
	s->v2 = lanes_rotate64_32(s->v2);
}

static inline void siphash_absorb(struct siphash_lanes *s, lanes64 word)
{
	s->v3 ^= word;
	siphash_round(s);
	siphash_round(s);
	s->v0 ^= word;
}

/* The word w for the lanes that have one. */
static inline void siphash_absorb_some(struct siphash_lanes *s, lanes64 word,
				       const uint32_t *n_words, uint32_t w)
{
	struct siphash_lanes next = *s;
	lanes64 has;

	UNROLL for (unsigned i = 0; i < LANES64; i++)
		has[i] = w < n_words[i] ? UINT64_MAX : 0;
	siphash_absorb(&next, word);
	s->v0 ^= (s->v0 ^ next.v0) & has;
	s->v1 ^= (s->v1 ^ next.v1) & has;
	s->v2 ^= (s->v2 ^ next.v2) & has;
	s->v3 ^= (s->v3 ^ next.v3) & has;
}

/* The last word: up to seven bytes, zeros, and the length's low byte. */
static inline void siphash_fill(struct chunks *c,
				const struct dirhash_text *names,
				const uint8_t *order, size_t n)
{
	uint8_t room[NAMES64];

	order = whole_group(order, n, NAMES64, room);
	set_limits(c, names[order[0]].len, names[order[NAMES64 - 1]].len,
		   SIPHASH_ROUND, SIPHASH_SHIFT);
	if (c->most_pieces == 1) {
		for (size_t i = 0; i < NAMES64; i++)
			c->only[i] = dirhash_last_word(names[order[i]].name,
						       names[order[i]].len);
		return;
	}
	for (size_t i = 0; i < NAMES64; i++) {
		const struct dirhash_text t = names[order[i]];
		size_t rest = t.len % CHUNK;

		copy_rest(c->rest[i], t.name + (t.len - rest), rest, 0);
		c->rest[i][rest | 7] = (uint8_t)t.len;
		c->len[i] = (uint32_t)t.len;
	}
	if (c->most_whole > 0)
		for (size_t i = 0; i < NAMES64; i++)
			c->name[i] = names[order[i]].name;
	if (c->least_pieces < c->most_pieces)
		for (size_t i = 0; i < NAMES64; i++)
			c->n_pieces[i] = (c->len[i] + SIPHASH_ROUND) >>
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
	const uint8_t *room[LANES_MAX];
	const uint8_t *const *place;
	size_t offset = chunk_places(c, NAMES64, at, room, &place);
	uint32_t w = at * CHUNK_WORDS64;

	EACH_GROUP64 lanes_words64(place + g * LANES64, offset, word[g]);
	for (unsigned i = 0; i < CHUNK_WORDS64 && w < c->most_pieces; i++, w++)
		if (w < c->least_pieces)
			EACH_GROUP64 siphash_absorb(&s[g], word[g][i]);
		else
			EACH_GROUP64 siphash_absorb_some(&s[g], word[g][i],
					&c->n_pieces[g * LANES64], w);
}

static inline void siphash_end(struct siphash_lanes *s, struct dirhash *out)
{
	uint64_t result[NAMES64];

	EACH_GROUP64 s[g].v2 ^= 0xff;
	UNROLL for (int i = 0; i < 4; i++)
		EACH_GROUP64 siphash_round(&s[g]);
	EACH_GROUP64 {
		lanes64 r = s[g].v0 ^ s[g].v1 ^ s[g].v2 ^ s[g].v3;

		memcpy(&result[g * LANES64], &r, sizeof(r));
	}
	for (size_t i = 0; i < NAMES64; i++) {
		out[i].hash = dirhash_major((uint32_t)(result[i] >> 32));
		out[i].minor_hash = (uint32_t)result[i];
	}
}

static inline void siphash_group(const uint8_t *key, const struct chunks *c,
				 struct dirhash *out)
{
	uint64_t k0 = dirhash_le64(key), k1 = dirhash_le64(key + 8);
	struct siphash_lanes s[LANES_GROUPS64];
	uint32_t at;

	EACH_GROUP64 s[g] = (struct siphash_lanes) {
		lanes_all64(k0 ^ 0x736f6d6570736575),
		lanes_all64(k1 ^ 0x646f72616e646f6d),
		lanes_all64(k0 ^ 0x6c7967656e657261),
		lanes_all64(k1 ^ 0x7465646279746573)
	};
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

/*
 * Here and below the next names' ends are copied before the names at hand are
 * hashed: loads of vectors wait for small stores just before them.
 */
static void siphash(const uint8_t *key, const struct dirhash_text *names,
		    const uint8_t *order, size_t n, struct dirhash *out)
{
	struct chunks c[2];
	unsigned turn = 0;

	chunks_init(&c[0]);
	chunks_init(&c[1]);
	siphash_fill(&c[0], names, order, n);
	for (size_t at = 0; at < n; at += NAMES64, turn ^= 1) {
		size_t next = at + NAMES64;

		if (next < n)
			siphash_fill(&c[turn ^ 1], names, order + next,
				     n - next);
		siphash_group(key, &c[turn], out + at);
	}
}
