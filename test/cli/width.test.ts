/** Texts as a terminal shows them: measured, cut and wrapped by columns, not by characters. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { truncated, widthOf, wrapped } from '../../src/cli/width.ts'
import { check } from '../helpers/check.ts'

test('wide characters take two columns, marks and joiners none', () => {
  check<string, number>(
    [
      ['', 0],
      ['GB-NG', 5],
      ['Zoë', 3],
      ['Zoe\u0308', 3],
      ['東京', 4],
      ['ｱｲ', 2],
      ['ＡＢ', 4],
      ['한글', 4],
      ['🙂', 2],
      ['👩‍💻', 2],
      ['❤️', 2],
      ['🇳🇬', 2],
      ['…', 1],
      ['−', 1],
    ],
    widthOf,
  )
})

test('a text is cut to the columns that it has, never within a character', () => {
  check<[string, number], string>(
    [
      [['verify', 6], 'verify'],
      [['verify', 5], 'veri…'],
      [['東京都庁', 5], '東京…'],
      [['東京都庁', 4], '東…'],
      [['👩‍💻👩‍💻', 3], '👩‍💻…'],
      [['abc', 1], '…'],
    ],
    ([text, width]) => truncated(text, width),
  )
})

test('a text is wrapped between words, and a word that is too long keeps its line', () => {
  assert.deepEqual(wrapped('one two three', 7), ['one two', 'three'])
  assert.deepEqual(wrapped('a verylongword b', 4), ['a', 'verylongword', 'b'])
  assert.deepEqual(wrapped('東京 都庁', 5), ['東京', '都庁'])
  assert.deepEqual(wrapped('anything at all', Number.POSITIVE_INFINITY), ['anything at all'])
})
