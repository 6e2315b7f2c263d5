/**
 * Header by which a gateway tells a backend which span a request is a part of: the value of `traceparent`, the client's
 * protocol (`HTTP/2.0`), and the value of `tracestate` if there is one, with spaces between them. For requests that are
 * not traced it is absent, or says `-` and the protocol where slow requests are logged. Clients cannot set it.
 */
export const traceHeader = 'x-quarterdeck-trace';
