/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The version table: the one place that knows how hashes are numbered. */
#include <string.h>
#include "dirhash/algorithm.h"

#define NO_VARIANT	(-1)

struct version {
	const char *name;
	bool on_disk;
	bool seeded;
	int unsigned_variant;	/* of one on disk; NO_VARIANT: same for both */
	int disk_version;	/* what it is called on disk */
	dirhash_raw *function;
};

static const struct version versions[] = {
	[DIRHASH_LEGACY] = { "legacy", true, false, DIRHASH_LEGACY_UNSIGNED,
			     DIRHASH_LEGACY, dirhash_raw_legacy },
	[DIRHASH_HALF_MD4] = { "half_md4", true, true,
			       DIRHASH_HALF_MD4_UNSIGNED, DIRHASH_HALF_MD4,
			       dirhash_raw_half_md4 },
	[DIRHASH_TEA] = { "tea", true, true, DIRHASH_TEA_UNSIGNED, DIRHASH_TEA,
			  dirhash_raw_tea },
	[DIRHASH_LEGACY_UNSIGNED] = { "legacy_unsigned", false, false,
				      NO_VARIANT, DIRHASH_LEGACY,
				      dirhash_raw_legacy_unsigned },
	[DIRHASH_HALF_MD4_UNSIGNED] = { "half_md4_unsigned", false, true,
					NO_VARIANT, DIRHASH_HALF_MD4,
					dirhash_raw_half_md4_unsigned },
	[DIRHASH_TEA_UNSIGNED] = { "tea_unsigned", false, true, NO_VARIANT,
				   DIRHASH_TEA, dirhash_raw_tea_unsigned },
	[DIRHASH_SIPHASH] = { "siphash", true, true, NO_VARIANT,
			      DIRHASH_SIPHASH, dirhash_raw_siphash },
};

#define N_VERSIONS	((int)(sizeof(versions) / sizeof(versions[0])))

static const struct version *find(int version)
{
	return version >= 0 && version < N_VERSIONS ? &versions[version] : NULL;
}

bool dirhash_known(int version)
{
	return find(version) != NULL;
}

bool dirhash_on_disk(int version)
{
	const struct version *v = find(version);

	return v && v->on_disk;
}

bool dirhash_seeded(int version)
{
	const struct version *v = find(version);

	return v && v->seeded;
}

const char *dirhash_version_name(int version)
{
	const struct version *v = find(version);

	return v ? v->name : NULL;
}

/* A decimal number of at least one digit and nothing else; -1 otherwise. */
static int decimal(const char *text)
{
	int value = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -1;
		value = value * 10 + (*text - '0');
		if (value >= N_VERSIONS)
			return -1;
	}
	return value;
}

int dirhash_version_from_text(const char *text)
{
	for (int i = 0; i < N_VERSIONS; i++)
		if (strcmp(text, versions[i].name) == 0)
			return i;
	return decimal(text);
}

int dirhash_effective(int on_disk, bool unsigned_chars)
{
	const struct version *v = find(on_disk);

	if (v && unsigned_chars && v->unsigned_variant != NO_VARIANT)
		return v->unsigned_variant;
	return on_disk;
}

int dirhash_disk_version(int version)
{
	const struct version *v = find(version);

	return v ? v->disk_version : version;
}

dirhash_raw *dirhash_raw_function(int version)
{
	const struct version *v = find(version);

	return v ? v->function : NULL;
}
