import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretIn } from '../../../src/core/secretsInText.ts';

/** Put together here, so that no scanner takes this file for a leak. */
const long = (prefix: string, count = 40) => prefix + 'a1B2'.repeat(20).slice(0, count);

const secrets: readonly (readonly [string, string])[] = [
  ['a private key', `-----BEGIN ${'OPENSSH '}PRIVATE KEY-----\nb3Bl`],
  ['a private key', '-----BEGIN PRIVATE KEY-----'],
  ['a private key', '-----BEGIN PGP PRIVATE KEY BLOCK-----'],
  ['a PuTTY private key', 'PuTTY-User-Key-File-3: ssh-ed25519'],
  ['an age key', `AGE-SECRET-KEY-1${'Q'.repeat(58)}`],
  ['a GitHub token', long('ghp_')],
  ['a password in an address', `https://x:${long('gho_')}@github.com`],
  ['a GitHub token', long('github_pat_')],
  ['a GitLab token', long('glpat-', 20)],
  ['an AWS key', `AKIA${'ABCD'.repeat(4)}`],
  ['an API key', long('sk-ant-')],
  ['an API key', long('sk-')],
  ['an API key', long('sk-proj-')],
  ['a Stripe key', long('sk_live_', 24)],
  ['a webhook secret', long('whsec_', 24)],
  ['a Google key', long('AIza', 35)],
  ['a Google key', long('ya29.')],
  ['a Slack token', `xoxb-${'1234567890'}-abcdef`],
  ['a Slack webhook', `https://hooks.slack.com/services/T0/B0/${'x'.repeat(24)}`],
  ['a Discord webhook', `https://discord.com/api/webhooks/123/${'y'.repeat(60)}`],
  ['a Telegram token', `123456789:AA${'z'.repeat(33)}`],
  ['an npm token', long('npm_', 36)],
  ['an npm token', '//registry.example/:_authToken=0123456789abcdef'],
  ['a PyPI token', long('pypi-AgE', 60)],
  ['a Hugging Face token', long('hf_', 34)],
  ['a SendGrid key', `SG.${'a'.repeat(22)}.${'b'.repeat(43)}`],
  ['a DigitalOcean token', `dop_v1_${'0'.repeat(64)}`],
  ['a Shopify token', `shpat_${'0a'.repeat(16)}`],
  ['a JSON web token', `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`],
  ['an Azure key', `AccountKey=${'A'.repeat(86)}==`],
  ['a password in an address', 'postgres://app:s3cr3tpw@db.local/shop'],
  ['a bearer token', `Authorization: Bearer ${long('')}`],
  ['basic credentials', 'Authorization: Basic dXNlcjpwYXNz'],
  ['a password or token', 'password: hunter2hunter2'],
  ['a password or token', 'DB_PASSWORD=correcthorse7'],
  ['a password or token', '"api_key": "abcdefghij"'],
  ['a password or token', "client_secret = 'abc-def-ghi'"],
  ['a password or token', 'the passphrase := tr0ub4dor&3'],
  ['a password or token', '"password" => "hunter22!"'],
  ['a password or token', '<db.password>hunter22</db.password>'],
  ['a password or token', '- **Password:** hunter22!'],
  ['a password or token', '| password | hunter22! |'],
  ['a password or token', '`password`: `hunter22`'],
  ['a password or token', 'mysql --password hunter22!'],
  ['a password or token', 'DB_PASS=abc123!x'],
  ['a password or token', 'SECRET_KEY=django1insecure'],
  ['a password or token', 'signing_key: 8f7a6b5c4d3e2f1a'],
  ['a password or token', 'The password for staging is hunter22!'],
  ['a password or token', 'password: "correct horse battery staple"'],
  ['a password or token', "passphrase = 'purple monkey dishwasher'"],
  ['a password or token', '"db_password": "open s3same now"'],
  ['a password or token', 'The password is `tr0ub4dor and three`'],
  ['a password or token', 'password: “correct horse battery staple”'],
  ['a password or token', '<password>correct horse battery staple</password>'],
  ['a password or token', '--password "correct horse battery staple"'],
  ['a password or token', 'api_token: "ab12 cd34 ef56"'],
  ['a password in an address', 'redis://:s3cretpw@cache.local:6379'],
  ['credentials of a command', 'curl -s -u admin:hunter22 https://x.example'],
  ['credentials of a machine', 'machine x.example login me password abcd'],
  ['a private key', `b3BlbnNzaC1rZXktdjE${'A'.repeat(40)}`],
  ['an Azure key', `https://x.example/c?sv=1&sig=${'aB3%2B'.repeat(8)}`],
  ['an Atlassian token', long('ATATT')],
  ['a Databricks token', `dapi${'0a'.repeat(16)}`],
  ['a Docker token', long('dckr_pat_', 27)],
  ['a Grafana token', long('glsa_')],
  ['a Groq key', long('gsk_')],
  ['a Linear key', long('lin_api_')],
  ['a Notion token', long('ntn_')],
  ['a Replicate token', long('r8_')],
  ['a Sentry token', long('sntrys_')],
  ['a Vault token', long('hvs.')],
  ['an xAI key', long('xai-')],
];

const harmless: readonly string[] = [
  'Reset the password in the admin page.',
  'password: ask Mia',
  'The token expires after an hour; see src/auth/token.ts',
  'token: string',
  'const token = process.env.GITHUB_TOKEN',
  'password = os.environ["DB_PASSWORD"]',
  `api_key: $${'{API_KEY}'}`,
  'api_key: <your key>',
  'secret: "changeme"',
  'PASSWORD=********',
  'token = getToken(user)',
  'access_token: see-the-vault',
  'SECRET_KEY_BASE: SECRET_FROM_VAULT',
  'git@github.com:owner/repo.git',
  'https://user@example.com/path',
  'http://localhost:8080/@scope/name',
  'postgres://app:$PASSWORD@db/shop',
  'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  'id 123e4567-e89b-12d3-a456-426614174000',
  'sk-learn and task-manager, risk_level_high',
  'sk-learn-compatible-estimators are used',
  'The password is stored in 1Password, the token is rotated daily',
  '| token | string | required |',
  '| token | 12 hours |',
  'what counts as a secret: `core/secrets.ts`',
  '<token>string</token>',
  'docker run -u 1000:1000 image; curl -u "$USER:$PASS" https://x.example',
  'mysql --password $DB_PASSWORD',
  'All tests pass: 12/12',
  '"password": "Enter your password"',
  '"password": "Must have 8 characters"',
  'password: "stored in the vault"',
  "passwordLabel: 'Wrong password, try again'",
  'token: "expires after an hour"',
  'password: "ask Mia or Tom"',
  "passphrase: 'required field'",
  'secret: "OAuth2 client credentials"',
  'token: "30min or 24h"',
  '<password>see the team vault</password>',
  'password="$(pass show db)" and more',
  'Lines that end in sk-\nand go on in words, ghp_\nlikewise',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA public',
  '-----BEGIN PUBLIC KEY-----',
  '-----BEGIN CERTIFICATE-----',
  'tokenizer: cl100k_base',
  'secretary: Anna Schmidt',
  '密码在保险箱里',
];

test('what looks like a secret is found, with its line', () => {
  for (const [kind, text] of secrets) {
    assert.equal(secretIn(text)?.kind, kind, text.slice(0, 12));
    assert.deepEqual(
      secretIn(`# A note\r\n\nSee: ${text}\nmore`),
      { kind, line: 3 },
      text.slice(0, 12),
    );
  }
});

test('what speaks of secrets is none', () => {
  for (const text of harmless) assert.equal(secretIn(text), undefined, text);
});

test('what a line or a sign that nobody sees breaks is found where it begins', () => {
  const token = long('ghp_', 24);
  for (const gap of ['\n', '\r\n', '  \n    ', '\n> ', '\\\n', '\u200b', '\u00ad'])
    for (const at of [6, 14])
      assert.deepEqual(
        secretIn(`one\ntwo ${token.slice(0, at)}${gap}${token.slice(at)}\nthree`),
        { kind: 'a GitHub token', line: 2 },
        JSON.stringify(gap),
      );
  assert.equal(secretIn('AKIAABCDABCD\nABCDABCD\nmore')?.kind, 'an AWS key');
  assert.equal(secretIn(`-----BEGIN ${'RSA'} PRIVATE\nKEY-----`)?.kind, 'a private key');
});

test('the first one counts', () => {
  assert.equal(secretIn(`x\n${long('ghp_')}\n${long('hf_')}`)?.kind, 'a GitHub token');
});

test('long texts of beginnings come to an end', () => {
  // A note may have 32 KiB, a file of memory more; what takes time by the square of that would take minutes.
  for (const part of [
    'a',
    'a_token_',
    'Bearer ',
    'x://a:',
    '-----BEGIN ',
    'eyJa.',
    'sk-',
    'curl -u ',
    'a\n',
    'token for ',
    '| token',
    'pwd *',
    '.',
    '.a',
    'password=" ',
    'password “',
  ])
    assert.equal(secretIn(part.repeat(30_000)), undefined, part);
});
