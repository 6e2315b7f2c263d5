import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Of each request with a client certificate, whether it is accepted or not (authentication/request/x509). */
export const certificateSeconds = processRegistry
  .histogram(
    'apiserver_client_certificate_expiration_seconds',
    '[ALPHA] Distribution of the remaining lifetime on the certificate used to authenticate a request.',
    [],
    [
      0,
      30 * minute,
      hour,
      2 * hour,
      6 * hour,
      12 * hour,
      day,
      2 * day,
      4 * day,
      7 * day,
      30 * day,
      90 * day,
      180 * day,
      360 * day,
    ],
  )
  .of();
