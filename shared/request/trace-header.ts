/**
 * Header by which a gateway tells a backend which span a request is a part of: the value of `traceparent`, the client's
 * protocol (`HTTP/2.0`), and the value of `tracestate` if there is one, with spaces between them. Absent for requests
 * that are not traced. Clients cannot set it.
 */
export const traceHeader = 'x-quarterdeck-trace';
