/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names for lanes_siphash.h where they stand, without a copy: for CPUs that
 * load what a mask tells of a vector, and touch nothing else.  Wants
 *	lanes_lengths64()	the lengths of LANES64 names
 *	lanes_text64()		lanes_words64() of names
 *	lanes_ends64()		the same, with zeros for what lies at or behind
 *				the end of a name
 */
struct ends {
	lanes64 length[LANES_GROUPS64];
	uint32_t least, most;			/* words of the names */
};

/* The length goes on top of the last word of each name. */
static inline lanes64 ends_word(const struct ends *e, lanes64 word, unsigned g,
				uint32_t w)
{
	lanes64 top = e->length[g] << 56;

	if (e->least < e->most)
		top &= (lanes64)(e->length[g] >> SIPHASH_SHIFT == w);
	return word | top;
}

/* The chunk at word w, in which names end. */
static inline void siphash_last(struct siphash_lanes *s, const struct ends *e,
				const struct dirhash_text *names, uint32_t w)
{
	lanes64 word[LANES_GROUPS64][CHUNK_WORDS64];

	EACH_GROUP64 lanes_ends64(names + g * LANES64, w * 8, word[g]);
	for (unsigned i = 0; i < CHUNK_WORDS64 && w < e->most; i++, w++)
		if (w + 1 < e->least)
			EACH_GROUP64 siphash_absorb(&s[g], word[g][i]);
		else if (w < e->least)
			EACH_GROUP64 siphash_absorb(&s[g],
					ends_word(e, word[g][i], g, w));
		else
			EACH_GROUP64 siphash_absorb_some(&s[g],
					ends_word(e, word[g][i], g, w),
					(e->length[g] + SIPHASH_ROUND) >>
					SIPHASH_SHIFT, w);
}

static inline void siphash_group(const uint8_t *key,
				 const struct dirhash_text *names,
				 struct dirhash *out)
{
	size_t shortest = names[0].len, longest = names[NAMES64 - 1].len, at;
	struct siphash_lanes s[LANES_GROUPS64];
	struct ends e = {
		.least = (uint32_t)(shortest + SIPHASH_ROUND) >> SIPHASH_SHIFT,
		.most = (uint32_t)(longest + SIPHASH_ROUND) >> SIPHASH_SHIFT
	};

	siphash_begin(s, key);
	for (at = 0; at + CHUNK <= shortest; at += CHUNK) {
		lanes64 word[LANES_GROUPS64][CHUNK_WORDS64];

		EACH_GROUP64 lanes_text64(names + g * LANES64, at, word[g]);
		UNROLL for (unsigned i = 0; i < CHUNK_WORDS64; i++)
			EACH_GROUP64 siphash_absorb(&s[g], word[g][i]);
	}
	EACH_GROUP64 e.length[g] = lanes_lengths64(names + g * LANES64);
	for (; at <= longest; at += CHUNK)
		siphash_last(s, &e, names, (uint32_t)at / 8);
	siphash_end(s, out);
}

static void siphash(const uint8_t *key, const struct dirhash_text *names,
		    size_t n, struct dirhash *out)
{
	struct dirhash_text room[NAMES64];

	for (size_t at = 0; at < n; at += NAMES64)
		siphash_group(key, whole_group(names + at, n - at, NAMES64,
					       room), out + at);
}
