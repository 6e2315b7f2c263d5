/** Spellings of addresses and networks; `v4Addresses` and `v6Addresses` are those that the family of a field allows. */
export const v4Addresses = ['10.1.2.3', '010.1.2.3', '10.01.2.03'];
export const v6Addresses = [
  'fd00::1',
  'FD00::1',
  'fd00:0::1',
  'fd00::0001',
  '::ffff:10.1.2.3',
  '::ffff:010.1.2.3',
  '::FFFF:a01:203',
  '::10.1.2.3',
  'fd00:0:0:1:0:0:0:1',
  'fd00:0:0:1::1',
];
export const networkSpellings = [
  '10.1.2.0/24',
  '10.1.2.3/24',
  '010.1.2.0/24',
  '10.1.2.0/024',
  '010.1.2.3/24',
  'fd00::/64',
  'fd00::1/64',
  'FD00::/64',
  'fd00:0::/64',
  '::ffff:10.1.2.0/120',
  '::ffff:10.1.2.3/120',
  '::ffff:10.1.2.3/80',
  'fd00::/064',
];
