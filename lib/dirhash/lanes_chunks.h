/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names as chunks of 32 bytes, for lanes.h: whole ones where they stand, the
 * rest of each name, padded as its hash demands, in a copy.
 */
#define CHUNK		32		/* bytes */
#define CHUNK_WORDS64	(CHUNK / 8)
#define CHUNK_WORDS32	(CHUNK / 4)

/* Several vectors of names go side by side: one would wait for itself. */
#define NAMES32		(LANES32 * LANES_GROUPS32)
#define NAMES64		(LANES64 * LANES_GROUPS64)

#define LANES_MAX	(NAMES32 > NAMES64 ? NAMES32 : NAMES64)

_Static_assert(LANES_MAX <= DIRHASH_LANES_MAX, "a kernel with too many lanes");

/* The groups are to be side by side in registers, at any optimisation. */
#define UNROLL		_Pragma("GCC unroll 8")
#define EACH_GROUP32	UNROLL for (unsigned g = 0; g < LANES_GROUPS32; g++)
#define EACH_GROUP64	UNROLL for (unsigned g = 0; g < LANES_GROUPS64; g++)

struct chunks {
	uint8_t rest[LANES_MAX][CHUNK] __attribute__((aligned(64)));
	uint64_t only[LANES_MAX];	/* siphash: the words of names of one */
	uint64_t n_words[LANES_MAX];	/* siphash: of each name */
	const uint8_t *name[LANES_MAX];		/* where each begins */
	const uint8_t *ends[LANES_MAX];		/* its place in rest[] */
	uint32_t len[LANES_MAX];
	uint32_t n_pieces[LANES_MAX];		/* what its hash takes at once */
	uint32_t least_whole, most_whole;	/* chunks, of all names */
	uint32_t least_pieces, most_pieces;
};

static inline void chunks_init(struct chunks *c)
{
	for (unsigned i = 0; i < LANES_MAX; i++)
		c->ends[i] = c->rest[i];
}

/*
 * n bytes, 0 to 31, by copies of fixed size that may overlap; then `pad` up to
 * a whole chunk.
 */
static inline void copy_rest(uint8_t *to, const uint8_t *from, size_t n,
			     uint8_t pad)
{
	memset(to, pad, CHUNK);
	if (n >= 16) {
		memcpy(to, from, 16);
		memcpy(to + n - 16, from + n - 16, 16);
	} else if (n >= 8) {
		memcpy(to, from, 8);
		memcpy(to + n - 8, from + n - 8, 8);
	} else if (n >= 4) {
		memcpy(to, from, 4);
		memcpy(to + n - 4, from + n - 4, 4);
	} else if (n > 0) {
		to[0] = from[0];
		to[n / 2] = from[n / 2];
		to[n - 1] = from[n - 1];
	}
}

/*
 * The names of a group: where they do not fill all lanes, the last one is
 * repeated in `room`.
 */
static inline const struct dirhash_text *
whole_group(const struct dirhash_text *names, size_t n, size_t lanes,
	    struct dirhash_text *room)
{
	if (n >= lanes)
		return names;
	for (size_t i = 0; i < lanes; i++)
		room[i] = names[i < n ? i : n - 1];
	return room;
}

/* What is known of all names from the shortest and the longest. */
static inline void set_limits(struct chunks *c, size_t shortest, size_t longest,
			      unsigned round, unsigned shift)
{
	c->least_whole = (uint32_t)(shortest / CHUNK);
	c->most_whole = (uint32_t)(longest / CHUNK);
	c->least_pieces = (uint32_t)(shortest + round) >> shift;
	c->most_pieces = (uint32_t)(longest + round) >> shift;
}

/*
 * The chunk `at` of n names: their places in *place, to which the offset
 * returned is to be added.  `room` is for the places of whole and last chunks
 * together.
 */
static inline size_t chunk_places(const struct chunks *c, unsigned n,
				  uint32_t at, const uint8_t **room,
				  const uint8_t *const **place)
{
	*place = c->name;
	if (at < c->least_whole)
		return (size_t)at * CHUNK;
	*place = c->ends;
	if (at >= c->most_whole)
		return 0;
	*place = room;
	for (unsigned i = 0; i < n; i++)
		room[i] = at < c->len[i] / CHUNK ? c->name[i] + at * CHUNK :
						   c->ends[i];
	return 0;
}
