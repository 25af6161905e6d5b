/*
 * The addresses of sockets: see socket_name.h.
 */
#include "socket_name.h"
#include "rt.h"
#include <string.h>
#include <unistd.h>

struct frt_socket_name frt_socket_name(int fd, bool remote)
{
	struct frt_socket_name n = {.len = sizeof(n.all)};

	if ((remote ? getpeername(fd, &n.a, &n.len) : getsockname(fd, &n.a, &n.len)) < 0 ||
	    n.len > sizeof(n.all))
		n.len = 0;
	return n;
}

struct frt_socket_name frt_socket_name_from(const struct sockaddr *a, socklen_t len)
{
	struct frt_socket_name n = {.len = len < sizeof(n.all) ? len : 0};

	if (n.len)
		memcpy(&n.all, a, len);
	return n;
}

uint16_t frt_socket_port(const struct frt_socket_name *n)
{
	if (n->len >= sizeof(n->in) && n->a.sa_family == AF_INET)
		return __builtin_bswap16(n->in.sin_port);
	if (n->len >= sizeof(n->in6) && n->a.sa_family == AF_INET6)
		return __builtin_bswap16(n->in6.sin6_port);
	return 0;
}

bool frt_socket_is_internet(const struct frt_socket_name *n)
{
	return n->len >= sizeof(n->in) && (n->a.sa_family == AF_INET || n->a.sa_family == AF_INET6);
}

/* The last four bytes of an address, also of an IPv4 address in the form of IPv6. */
static uint32_t host_of(const struct frt_socket_name *n)
{
	uint32_t host;

	if (n->a.sa_family == AF_INET)
		return n->in.sin_addr.s_addr;
	memcpy(&host, n->in6.sin6_addr.s6_addr + 12, sizeof(host));
	return host;
}

bool frt_socket_same_host(const struct frt_socket_name *a, const struct frt_socket_name *b)
{
	return host_of(a) == host_of(b) || (host_of(a) & 0xff) == 127 || !host_of(a);
}

uint64_t frt_socket_hash(const struct frt_socket_name *n)
{
	uint16_t port = frt_socket_port(n);

	if (!n->len || (frt_socket_is_internet(n) && !port))
		return 0;
	return port ? port : fr_hash(0, &n->all, n->len) | 1;
}

uint8_t frt_socket_type(int fd)
{
	int type = 0;
	socklen_t n = sizeof(type);

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) < 0 ? 0 : (uint8_t)type;
}

bool frt_socket_is_self(int fd)
{
	struct ucred c = {0};
	socklen_t n = sizeof(c);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c, &n) == 0 && c.pid == getpid();
}
