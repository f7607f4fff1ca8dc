/**
 * The response of a made-up device to the creation of a passkey: everything in it fits, and its
 * certificate (of the format `android-key`) names the address of a list of revoked ones.
 */
export const ATTESTED = {
  id: 'CQkJCQkJCQkJCQkJCQkJCQ',
  rawId: 'CQkJCQkJCQkJCQkJCQkJCQ',
  type: 'public-key',
  clientExtensionResults: {},
  response: {
    clientDataJSON:
      'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiQXdNREF3TURBd01EQXdNREF3TURBd01EQXdNREF3TU' +
      'RBd01EQXdNREF3TSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6ODA4MiIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
    attestationObject:
      'o2NmbXRrYW5kcm9pZC1rZXlnYXR0U3RtdKNjYWxnJmNzaWdYRgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ' +
      'EBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQFjeDVjglkBiTCCAYUwggEroAMCAQICAQIwCgYIKoZIzj0E' +
      'AwIwDzENMAsGA1UEAxMEcm9vdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowDzENMAsGA1UEAxMEbGVhZj' +
      'BZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPcCv8CA90yp-_MedFt8CHQbWaMM3FNkjGL6tA0nc5xvuPiQl4mJur-6Vh6N' +
      'Xln5plvYGEGt-o7bVWZWRhUvvWijdjB0MCwGA1UdHwQlMCMwIaAfoB2GG2h0dHA6Ly9pbnRlcm5hbC5leGFtcGxlL2NybD' +
      'BEBgorBgEEAdZ5AgERBDYwNAIBAwoBAQIBBAoBAQQgWS7VwjjQJvcb-wrZ-DcYVTrNccHGxA7BEKhQNohGdGEEADAAMAAw' +
      'CgYIKoZIzj0EAwIDSAAwRQIhAPqKHu-yEEqWezrfcEbOloG10j8grOZ5YRA3bZFRAeUSAiAQb9Ivo2GZ3G05CGXSONJpLn' +
      'qf-Mh61KpWtjc5Dd-jPFkBEzCCAQ8wgbegAwIBAgIBATAKBggqhkjOPQQDAjAPMQ0wCwYDVQQDEwRyb290MCAXDTIwMDEw' +
      'MTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAPMQ0wCwYDVQQDEwRyb290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEdq' +
      'WsQ8u6tIfQ0RZYrTNsT8JhRj-yOw2RgzSnfIN2GKaq8hxCHaXcblEycvlKkLCXBCpyr1eZnJyiT74ZdNPSi6MCMAAwCgYI' +
      'KoZIzj0EAwIDRwAwRAIgQMptW-QLXvzHnU2qkAYoOoI58lJEf1yhJtYDuVa_BbICIBVSfzelvHZa5yI2eEfiKpplZp-Vog' +
      '6PEM3oW3gSpsaYaGF1dGhEYXRhWJRJlg3liA6MaHQ0Fw9kdmBbj-SuuaKGMseZXPO6gx2XY0UAAAABAAAAAAAAAAAAAAAA' +
      'AAAAAAAQCQkJCQkJCQkJCQkJCQkJCaUBAgMmIAEhWCD3Ar_AgPdMqfvzHnRbfAh0G1mjDNxTZIxi-rQNJ3OcbyJYILj4kJ' +
      'eJibq_ulYejV5Z-aZb2BhBrfqO21VmVkYVL71o',
  },
} as const;

/** The ceremony that it belongs to, and the address in its certificate. */
export const CEREMONY = {
  origin: 'http://localhost:8082',
  challenge: 'AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM',
};
export const LIST = 'http://internal.example/crl';
