#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/ess.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ts.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Swift cannot see macros.
static inline int openssl_certificate_count(const STACK_OF(X509) *stack) { return stack ? sk_X509_num(stack) : 0; }
static inline X509 *openssl_certificate_at(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }
static inline STACK_OF(X509) *openssl_certificate_stack(void) { return sk_X509_new_null(); }
static inline int openssl_certificate_push(STACK_OF(X509) *stack, X509 *certificate) { return sk_X509_push(stack, certificate); }
static inline void openssl_free_certificate_stack(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline void openssl_free_certificates(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }
static inline int openssl_signer_count(const STACK_OF(CMS_SignerInfo) *stack) { return stack ? sk_CMS_SignerInfo_num(stack) : 0; }
static inline CMS_SignerInfo *openssl_signer_at(const STACK_OF(CMS_SignerInfo) *stack, int index) { return sk_CMS_SignerInfo_value(stack, index); }
static inline long openssl_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }
static inline int openssl_reason(unsigned long error) { return ERR_GET_REASON(error); }
