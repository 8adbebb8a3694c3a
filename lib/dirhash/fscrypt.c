/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The hash key of an encrypted and casefolded directory: HKDF-SHA512
 * (RFC 5869) of the master key, as Linux's fs/crypto derives it.
 */
#include <string.h>
#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include "dirhash/dirhash.h"
#include "e2dx_err.h"

#define MASTER_KEY_MIN	16

/* Info: "fscrypt" and its NUL, what the key is for, and the nonce. */
#define INFO_PREFIX		"fscrypt"
#define INFO_PREFIX_SIZE	sizeof(INFO_PREFIX)
#define INFO_DIRHASH		5

static void set_key(void *ctx, size_t len, const uint8_t *key)
{
	hmac_sha512_set_key(ctx, len, key);
}

static void update(void *ctx, size_t len, const uint8_t *data)
{
	hmac_sha512_update(ctx, len, data);
}

static void digest(void *ctx, size_t len, uint8_t *out)
{
	hmac_sha512_digest(ctx, len, out);
}


errcode_t dirhash_fscrypt_key(const uint8_t *master, size_t master_len,
			      const uint8_t *nonce, uint8_t *key)
{
	static const uint8_t no_salt[SHA512_DIGEST_SIZE];
	uint8_t info[INFO_PREFIX_SIZE + 1 + DIRHASH_NONCE_SIZE];
	uint8_t prk[SHA512_DIGEST_SIZE];
	struct hmac_sha512_ctx ctx;

	if (master_len < MASTER_KEY_MIN || master_len > DIRHASH_MASTER_KEY_MAX)
		return E2DX_ET_KEY;
	memcpy(info, INFO_PREFIX, INFO_PREFIX_SIZE);
	info[INFO_PREFIX_SIZE] = INFO_DIRHASH;
	memcpy(info + INFO_PREFIX_SIZE + 1, nonce, DIRHASH_NONCE_SIZE);

	set_key(&ctx, sizeof(no_salt), no_salt);
	hkdf_extract(&ctx, update, digest, sizeof(prk), master_len, master, prk);
	set_key(&ctx, sizeof(prk), prk);
	hkdf_expand(&ctx, update, digest, sizeof(prk), sizeof(info), info,
		    DIRHASH_SEED_SIZE, key);
	explicit_bzero(prk, sizeof(prk));
	explicit_bzero(&ctx, sizeof(ctx));
	return 0;
}
