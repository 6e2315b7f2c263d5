/** Promised families of the reference that are not here, with the reason. */
export const missingFamilies: ReadonlyMap<string, string> = new Map();
/** Families of both that are not alike, with the reason. */
export const unlikeHelp: ReadonlyMap<string, string> = new Map();
