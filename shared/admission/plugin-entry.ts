/** What every process knows of an admission plugin. */
export interface PluginEntry {
  readonly name: string;
  /** Enabled without any flag. */
  readonly byDefault: boolean;
  /** Whether it exists here: nobody may rely on one that does not. */
  readonly isBuilt: boolean;
}
