/** Words for each problem of a sign-in at the identity provider: one sentence says what is wrong, one what to do. */

interface ProblemText {
  readonly title: string
  readonly todo: string
}

export const problems = {
  provider_unavailable: {
    title: 'The identity provider cannot be used now.',
    todo: 'Try again in a few minutes, or sign in another way: keys and local accounts work without it.',
  },
  provider_refused: {
    title: 'The identity provider did not confirm who you are.',
    todo: 'Sign in again. If it happens again, ask the operator of this server to look into its log.',
  },
  restart: {
    title: 'This sign-in took too long, was used before, or was started in another browser.',
    todo: 'Start it again here.',
  },
  no_role: {
    title: 'Your account at the identity provider has no role in Fairway.',
    todo: 'Ask the person who manages these accounts to give you one, then sign in again.',
  },
  no_owner: {
    title: 'Your account at the identity provider belongs to no owner that Fairway knows.',
    todo: 'Ask the person who manages these accounts to set your owner, then sign in again.',
  },
  removed: {
    title: 'Your account was removed from Fairway.',
    todo: 'Ask the operator of this server if that is a mistake.',
  },
} as const satisfies Readonly<Record<string, ProblemText>>
