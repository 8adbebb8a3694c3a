/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Version 6, siphash, in lanes; for lanes.h.  Names are read by LANES_SIPHASH. */
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
				       lanes64 n_words, uint32_t w)
{
	struct siphash_lanes next = *s;
	/* Both are small: signs are what all CPUs compare. */
	lanes64 has = (lanes64)((lanes_signed64)n_words > w);

	siphash_absorb(&next, word);
	s->v0 ^= (s->v0 ^ next.v0) & has;
	s->v1 ^= (s->v1 ^ next.v1) & has;
	s->v2 ^= (s->v2 ^ next.v2) & has;
	s->v3 ^= (s->v3 ^ next.v3) & has;
}

static inline void siphash_begin(struct siphash_lanes *s, const uint8_t *key)
{
	uint64_t k0 = dirhash_le64(key), k1 = dirhash_le64(key + 8);

	EACH_GROUP64 s[g] = (struct siphash_lanes) {
		lanes_all64(k0 ^ 0x736f6d6570736575),
		lanes_all64(k1 ^ 0x646f72616e646f6d),
		lanes_all64(k0 ^ 0x6c7967656e657261),
		lanes_all64(k1 ^ 0x7465646279746573)
	};
}

/*
 * High half the major hash, low half the minor one: turned round, as they
 * stand in a struct dirhash of a little-endian CPU.  See dirhash_major().
 */
static inline lanes64 siphash_result(const struct siphash_lanes *s)
{
	lanes64 r = lanes_rotate64_32(s->v0 ^ s->v1 ^ s->v2 ^ s->v3);
	lanes32 major = (lanes32)(r & ~(uint64_t)1);
	lanes32 eof = (lanes32)(major == (lanes32)lanes_all64(DIRHASH_EOF));

	return (lanes64)(major + ((eof & (lanes32)lanes_all64(UINT32_MAX)) << 1));
}

static inline void siphash_end(struct siphash_lanes *s, struct dirhash *out)
{
	EACH_GROUP64 s[g].v2 ^= 0xff;
	UNROLL for (int i = 0; i < 4; i++)
		EACH_GROUP64 siphash_round(&s[g]);
	EACH_GROUP64 {
		lanes64 r = siphash_result(&s[g]);

		memcpy(out + g * LANES64, &r, sizeof(r));
	}
}

#include LANES_SIPHASH
