/** Cases in which this server differs on purpose, and why. */
export const explained: ReadonlyMap<string, string> = new Map([
  [
    'events that are larger than a file',
    'lumberjack refuses them, so that they are lost; here such an event gets a file of its own',
  ],
]);
