/** What only servers with issuers of JWTs need, with CEL: it is loaded by `open-configuration.ts`. */
export { configurationOfFlags } from './configuration-of-flags.ts';
export { decodeAuthenticationConfiguration } from './decode-authentication-configuration.ts';
export { loadConfiguration } from './load-configuration.ts';
