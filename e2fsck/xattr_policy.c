/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Encryption contexts: what says how an inode is encrypted.  A context is a
 * policy and a nonce of its own; everything below a directory has the policy
 * of that directory.
 */
#include <stdlib.h>
#include "xattr_facts.h"

#define NONCE		16	/* bytes, the last of either version */
#define V1_SIZE		(12 + NONCE)
#define V2_SIZE		(24 + NONCE)

/* Equal policies need equal numbers, different ones different: a hash of 64
   bits that nobody can aim at without breaking it. */
uint64_t xattr_policy(const uint8_t *context, size_t len)
{
	static const uint8_t key[16] = "fscrypt policy";
	uint64_t n;

	if (!len)
		return POLICY_BAD;
	if (context[0] != 1 && context[0] != 2)
		return POLICY_UNKNOWN;
	if (len != (context[0] == 1 ? V1_SIZE : V2_SIZE))
		return POLICY_BAD;
	n = dirhash_siphash24(key, context, len - NONCE);
	return n > POLICY_BAD ? n : POLICY_BAD + 1;
}

static struct inode_policy *find(const struct facts *f, uint32_t ino)
{
	struct inode_policy *v = f->policies.v;
	size_t low = 0, high = f->policies.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (v[mid].ino < ino)
			low = mid + 1;
		else
			high = mid;
	}
	return low < f->policies.n && v[low].ino == ino ? &v[low] : NULL;
}

uint64_t facts_policy(const struct facts *f, uint32_t ino)
{
	const struct inode_policy *p = find(f, ino);

	return p ? p->policy : POLICY_NONE;
}

void facts_set_policy(struct facts *f, uint32_t ino, uint64_t policy)
{
	struct inode_policy *p = find(f, ino);

	if (p)
		p->policy = policy;
}

/* Only these three kinds are ever encrypted. */
static bool has_policy(int type)
{
	return type == EXT2_FT_REG_FILE || type == EXT2_FT_DIR ||
	       type == EXT2_FT_SYMLINK;
}

enum problem_code policy_fault(const struct facts *f, uint64_t dir,
			       uint32_t ino)
{
	uint64_t policy;

	if (dir <= POLICY_BAD || !has_policy(entry_type(f, ino)))
		return P_NONE;
	policy = facts_policy(f, ino);
	if (policy == POLICY_NONE || policy == POLICY_BAD)
		return P_ENTRY_UNENCRYPTED;
	return policy == dir ? P_NONE : P_ENTRY_POLICY;
}
