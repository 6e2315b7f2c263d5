/**
 * Header by which a gateway tells a backend for how many milliseconds it has had a request, as deadlines and latencies
 * count from there.
 */
export const ageHeader = 'x-quarterdeck-age-ms';
