/** Wrong arguments are refused before anything is sent, by the language's own error, which never repeats the API key. */

import type { Row } from '../row.ts'

const never = { script: ['drop'] } as const

const baseUrls: readonly Row[] = [
  '',
  'localhost:8080',
  '/api',
  'ftp://example.com',
  'https://',
  'https://a:b@example.com',
  'https://a@example.com',
  'https://example.com?x=1',
  'https://example.com?',
  'https://example.com/#',
  'https://example.com/#x',
].map((baseUrl) => ({
  name: `the base URL "${baseUrl}" is refused`,
  ...never,
  steps: [{ open: { baseUrl }, expect: { misuse: /base_?url/i } }],
}))

const apiKeys: readonly Row[] = Object.entries({
  'with a line break': 'pk_test_topsecret\n',
  'with a space': ' pk_test_topsecret',
  'that is not ASCII': 'pk_test_topsecretü',
  'without characters': '',
}).map(([name, apiKey]) => ({
  name: `an API key ${name} is refused, and not repeated`,
  ...never,
  steps: [{ open: { apiKey }, expect: { misuse: /api_?key/i } }],
}))

const limits: readonly Row[] = [
  { maxRetries: -1 },
  { maxRetries: 1.5 },
  { maxRetries: Number.NaN },
  { maxRetries: Infinity },
  { timeoutSeconds: 0 },
  { timeoutSeconds: -1 },
  { timeoutSeconds: Number.NaN },
  { totalTimeoutSeconds: 0 },
  { totalTimeoutSeconds: -1 },
  { totalTimeoutSeconds: Number.NaN },
].map((limit) => {
  const [[name, value] = ['']] = Object.entries(limit)
  const words = name.replace('Seconds', '').replaceAll(/[A-Z]/g, (letter) => `_?${letter}`)
  const misuse = new RegExp(words, 'i')
  return {
    name: `${name} of ${value} is refused, by the client and by the call`,
    ...never,
    steps: [
      { call: 'health', limits: limit, expect: { misuse, sent: 0 } },
      { open: limit, expect: { misuse } },
    ],
  }
})

export const misuse: readonly Row[] = [...baseUrls, ...apiKeys, ...limits]
