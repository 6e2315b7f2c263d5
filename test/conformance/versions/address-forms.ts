const range = (value: string): readonly string[] => [`--service-cluster-ip-range=${value}`];

/** Ranges of addresses that servers start with. The first ones are small, or not written from their beginning. */
export const takenRanges: readonly (readonly string[])[] = [
  range('10.5.0.7/16'),
  range('10.5.0.0/29'),
  range('10.0.0.0/8'),
  range('010.5.0.0/016'),
  range('::ffff:10.5.0.0/112'),
  range('10.5.0.0/16,fd00::/112'),
  range('10.5.0.0/16,FD00:0::7/64'),
  range('10.5.0.0/16,fd00::/126'),
  [...range('fd00::5/108'), '--endpoint-reconciler-type=none'],
  [...range('fd00::/64,10.5.0.0/16'), '--endpoint-reconciler-type=none'],
  ['--service-cluster-ip-range='],
];

/** Ranges that no server starts with. */
export const wrongRanges: readonly (readonly string[])[] = [
  '10.5.0.0/16,10.6.0.0/16',
  '10.5.0.0/30',
  '10.5.0.0/31',
  '10.5.0.0/32',
  '0.0.0.0/0',
  'fd00::/112',
  'fd00::5/112',
  'fd00::/126',
  'fd00::/112,10.5.0.0/16',
  'fd00::/112,fd01::/112',
  '10.5.0.0/16,10.6.0.0/16,fd00::/112',
  '10.5.0.0/16, fd00::/112',
  ' 10.5.0.0/16',
  '10.5.0.0/16,',
  ',10.5.0.0/16',
  ',',
  '10.5.0.0',
  '10.5.0.0/33',
  '10.5.0.0/16/1',
  '10.5.0.0/16,abc',
  'abc,10.5.0.0/16',
  'fe80::%eth0/112',
].map(range);

/** Addresses of an etcd, with `%` for its port, that servers get ready with. */
export const takenEtcds: readonly string[] = [
  'http://127.0.0.1:%/',
  '127.0.0.1:%',
  'localhost:%',
  'http://127.0.0.1:%,http://127.0.0.1:1',
  'http://127.0.0.1:%,',
  'HTTP://LOCALHOST:%',
  'http://user:password@127.0.0.1:%',
  'http://127.0.0.1:%/path?x=1',
  'http://:%',
];

/** Addresses of an etcd that the reference ends with, after a wait for it. */
export const wrongEtcds: readonly string[] = [
  'http://127.0.0.1',
  'http://[::1%25lo]:%',
  'tcp://127.0.0.1:%',
  'http://',
  '//127.0.0.1:%',
  'http:127.0.0.1:%',
  'http:/127.0.0.1:%',
  'http://127.0.0.1:x',
  'http://127.0.0.1:99999',
  'abc',
];
