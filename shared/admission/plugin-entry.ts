/** What every process knows about an admission plugin. */
export interface PluginEntry {
  readonly name: string;
  /** Enabled without any flag. */
  readonly byDefault: boolean;
  /** Whether the plugin is implemented; enabling one that is not is an error. */
  readonly isBuilt: boolean;
}
