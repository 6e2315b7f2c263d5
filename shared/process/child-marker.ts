/**
 * Environment variable that marks children of the launcher: they get their options as the first IPC message instead of
 * from flags.
 */
export const childMarker = 'QUARTERDECK_CHILD';
