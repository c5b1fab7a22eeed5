/** Email addresses: which are taken, and which two are one. */

import { test } from 'node:test'
import { emailKeyOf, isEmail } from '../../../src/core/identity/access.ts'
import { check } from '../../helpers/check.ts'

const label63 = 'a'.repeat(63)

test('an email address is what a mail server would take, without quotes and address literals', () => {
  const longest = `${'l'.repeat(64)}@${label63}.${label63}.${'a'.repeat(58)}.ng`
  check(
    [
      ['payments@example.com', true],
      ['Payments.Team+fairway@Mail.Example.co.uk', true],
      ["o'neil_#!$%&*/=?^`{|}~-@example.com", true],
      ['1@2.example', true],
      ['a@b.co', true],
      ['a@xn--bcher-kva.example', true],
      [`${'l'.repeat(64)}@example.com`, true],
      [longest, true],
      [`${'l'.repeat(65)}@example.com`, false],
      [longest.replace('.ng', '.com'), false],
      [`a@${label63}a.com`, false],
      ['', false],
      ['ada', false],
      ['payments@', false],
      ['@example.com', false],
      ['payments@example', false],
      ['payments@@example.com', false],
      ['payments@exa@mple.com', false],
      ['ada obi@example.com', false],
      [' payments@example.com', false],
      ['payments@example.com ', false],
      ['payments@example.com\n', false],
      ['ada\r\nBcc: all@example.com', false],
      ['.payments@example.com', false],
      ['ada.@example.com', false],
      ['ada..obi@example.com', false],
      ['payments@example..com', false],
      ['payments@.example.com', false],
      ['payments@example.com.', false],
      ['payments@-example.com', false],
      ['payments@example-.com', false],
      ['payments@exam_ple.com', false],
      ['"ada"@example.com', false],
      ['payments@[127.0.0.1]', false],
      ['payments@127.0.0.1', false],
      ['payments@example.123', false],
      ['Payments <payments@example.com>', false],
      ['ada,obi@example.com', false],
      ['payments@bücher.example', false],
      ['àda@example.com', false],
      ['payments@example.com\u0000', false],
    ],
    isEmail,
  )
})

test('capital letters make no other address', () => {
  check(
    [
      ['Payments@Example.COM', 'payments@example.com'],
      ['payments@example.com', 'payments@example.com'],
      ['ada+one@example.com', 'ada+one@example.com'],
    ],
    emailKeyOf,
  )
})
