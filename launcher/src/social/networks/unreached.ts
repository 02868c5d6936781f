// Answers of a proxy before a server, not of the server.

/**
 * Cloudflare's that mean it did not reach the server behind it with the request: refused, timed out while connecting, no way,
 * no TLS, no name (https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/).
 */
const unreached = new Set([521, 522, 523, 525, 526, 530]);

export const wasUnreached = (status: number): boolean => unreached.has(status);
