/** Whom a user command asks and with which key: the order of the sources, and that no key goes where it does not belong. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandFailure } from '../../../src/cli/deps.ts'
import {
  connectionOf,
  isExposed,
  isLoopback,
  normalUrl,
  parseSettings,
  settingsIn,
  settingsText,
  type StoredSettings,
} from '../../../src/cli/user/session/settings.ts'
import { check } from '../../helpers/check.ts'
import { settingsFilePath, userOf } from '../../helpers/process/user.ts'

const fileUrl = 'https://file.example.com'
const kept = { kind: 'read' as const, text: JSON.stringify({ url: fileUrl, api_key: 'file-key' }) }

test('the address comes from the flag, then the environment, then the file, else it is the usual one', async () => {
  const url = 'https://env.example.com'
  const flag = 'https://flag.example.com'
  assert.equal((await connectionOf(userOf({ url, file: kept }), flag)).url, flag)
  assert.equal((await connectionOf(userOf({ url, file: kept }), null)).url, url)
  assert.equal((await connectionOf(userOf({ file: kept }), null)).url, fileUrl)
  assert.equal((await connectionOf(userOf({}), null)).url, 'http://127.0.0.1:8080')
})

test('the key comes from the environment, then the file, and it is known from where', async () => {
  const both = await connectionOf(userOf({ apiKey: 'env-key', file: kept }), null)
  assert.deepEqual([both.key, both.keySource], ['env-key', 'FAIRWAY_API_KEY'])
  const file = await connectionOf(userOf({ file: kept }), null)
  assert.deepEqual([file.key, file.keySource], ['file-key', settingsFilePath])
  const neither = await connectionOf(userOf({}), null)
  assert.equal(neither.key, null)
  assert.match(neither.missingKey, /FAIRWAY_API_KEY.*fairway login.*fairway quickstart/)
})

test("the file's key goes to the address beside it and to no other", async () => {
  for (const other of [
    'http://file.example.com',
    'https://file.example.com:444',
    `${fileUrl}/v2`,
    'http://127.0.0.1:8080',
  ]) {
    for (const connection of [
      await connectionOf(userOf({ file: kept }), other),
      await connectionOf(userOf({ url: other, file: kept }), null),
    ]) {
      assert.equal(connection.key, null, other)
      assert.match(connection.missingKey, /is for https:\/\/file\.example\.com and is not sent to/)
      assert.ok(!connection.missingKey.includes('file-key'))
    }
  }
  assert.equal(
    (await connectionOf(userOf({ file: kept }), `${fileUrl}/`)).key,
    'file-key',
    'a slash makes no other',
  )
})

test('a file that others may use, or that is malformed, is one line with its path and without its key', async () => {
  const cases = [
    [{ kind: 'open_to_others' }, /chmod 600 \/home\/user\/\.config\/fairway\/config\.json$/],
    [{ kind: 'read', text: '{"api_key": "file-key", "url": 7}' }, /config\.json is invalid/],
    [{ kind: 'read', text: '{"api_key": "file-key"' }, /config\.json is invalid/],
  ] as const
  for (const [file, message] of cases) {
    await assert.rejects(connectionOf(userOf({ file }), null), (error: unknown) => {
      assert.ok(error instanceof CommandFailure)
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /file-key|\n/)
      return true
    })
  }
})

test('a path with spaces is told as a shell takes it', () => {
  assert.throws(
    () => settingsIn({ kind: 'open_to_others' }, "/home/O'Neil's files/config.json"),
    /chmod 600 '\/home\/O'\\''Neil'\\''s files\/config\.json'$/,
  )
})

test('a bad file harms nobody who does not need it', async () => {
  const user = userOf({ apiKey: 'env-key', url: 'https://env.example.com', file: { kind: 'open_to_others' } })
  assert.equal((await connectionOf(user, null)).key, 'env-key')
  assert.equal(user.reads, 0)
})

test('an address or a key that cannot be used is named, and not repeated', async () => {
  const secret = 'https://user:password@fairway.example.com'
  await assert.rejects(
    connectionOf(userOf({ url: secret }), null),
    /^CommandFailure: FAIRWAY_URL must be a complete URL[^:]*(?:https:\/\/fairway\.example\.com)[^:]*$/,
  )
  await assert.rejects(connectionOf(userOf({}), 'nonsense'), /--url must be a complete URL/)
  await assert.rejects(connectionOf(userOf({ apiKey: 'two words' }), null), (error: Error) => {
    assert.match(error.message, /FAIRWAY_API_KEY is not a valid key/)
    assert.doesNotMatch(error.message, /two words/)
    return true
  })
})

test('addresses are compared in one form', () => {
  check<string, string | null>(
    [
      ['https://Fairway.example.com/', 'https://fairway.example.com'],
      ['https://fairway.example.com:443', 'https://fairway.example.com'],
      ['http://127.0.0.1:8080/base/', 'http://127.0.0.1:8080/base'],
      ['ftp://fairway.example.com', null],
      ['fairway.example.com', null],
      ['https://a:b@fairway.example.com', null],
      ['https://fairway.example.com?x=1', null],
      ['https://fairway.example.com#x', null],
      ['https://fairway.example.com?', null],
      ['https://fairway.example.com/#', null],
    ],
    normalUrl,
  )
})

test('http is for this machine; a key that goes further over it is exposed', () => {
  const here = [
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.9.9.9',
    'http://[::1]:80',
    'http://a.localhost',
  ]
  const elsewhere = [
    'http://fairway.example.com',
    'http://10.0.0.1',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
  ]
  assert.deepEqual(
    here.map(isLoopback),
    here.map(() => true),
  )
  assert.deepEqual(
    elsewhere.map(isLoopback),
    elsewhere.map(() => false),
  )
  assert.deepEqual(
    here.map(isExposed),
    here.map(() => false),
  )
  assert.deepEqual(
    elsewhere.map(isExposed),
    elsewhere.map(() => true),
  )
  assert.equal(isExposed('https://fairway.example.com'), false)
})

test('a settings file is read as it was written, and anything else is refused', () => {
  const settings: StoredSettings = { url: fileUrl, apiKey: 'file-key' }
  assert.deepEqual(parseSettings(settingsText(settings)), settings)
  assert.deepEqual(parseSettings(settingsText({ url: fileUrl, apiKey: null })), {
    url: fileUrl,
    apiKey: null,
  })
  assert.deepEqual(parseSettings('{}'), { url: null, apiKey: null })
  for (const text of [
    '',
    '[]',
    'null',
    '"x"',
    '{"url":"x"}',
    '{"api_key":"k"}',
    `{"url":"${fileUrl}","api_key":"a b"}`,
  ]) {
    assert.equal(parseSettings(text), null, text)
  }
})
