// Recognises answers of a proxy that did not reach the server behind it.

/**
 * Cloudflare's statuses for a server that never got the request: refused, connection timeout, unreachable, TLS or DNS failure
 * (https://developers.cloudflare.com/support/troubleshooting/http-status-codes/cloudflare-5xx-errors/).
 */
const unreached = new Set([521, 522, 523, 525, 526, 530]);

export const isGatewayFailure = (status: number): boolean => unreached.has(status);
