/** The pages of the example identity provider: plain HTML that loads nothing from other hosts. */

export interface ListedAccount {
  readonly email: string
  readonly name: string
  readonly about: string
}

const style = `
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
  label, input, button { display: block; font: inherit; }
  input { width: 100%; box-sizing: border-box; margin-bottom: 1rem; padding: 0.4rem; }
  button { padding: 0.4rem 1rem; }
  td, th { padding: 0.2rem 1rem 0.2rem 0; text-align: left; }
  [role='alert'] { color: #b00020; }
  @media (prefers-color-scheme: dark) {
    body { background: #16181d; color: #e8e8e8; }
    [role='alert'] { color: #ff8a94; }
  }
`

export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)}</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>${escaped(title)}</h1>
      ${body}
    </main>
  </body>
</html>
`

export function signInPage(
  action: string,
  accounts: readonly ListedAccount[],
  unknown: string | null,
): string {
  const rows = accounts.map(
    ({ email, name, about }) =>
      `<tr><td>${escaped(email)}</td><td>${escaped(name)}</td><td>${escaped(about)}</td></tr>`,
  )
  const problem =
    unknown === null
      ? ''
      : `<p role="alert">There is no account with the email address ${escaped(unknown)}.</p>`
  return page(
    'Example identity provider',
    `<p>For trying out the sign-in: the accounts are made up, and any password is accepted.</p>
      ${problem}
      <form method="post" action="${escaped(action)}">
        <label for="email">Email</label>
        <input id="email" name="email" type="email" required autofocus autocomplete="username">
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password">
        <button type="submit">Sign in</button>
      </form>
      <h2>Accounts</h2>
      <table>
        <thead><tr><th>Email</th><th>Name</th><th>Role</th></tr></thead>
        <tbody>${rows.join('')}</tbody>
      </table>`,
  )
}

/** `form` has the id op.logoutForm. With `isConfirmed` it is sent at once. */
export function signOutPage(form: string, isConfirmed: boolean): string {
  return page(
    'Sign out',
    `<p>Sign out of the example identity provider?</p>
      ${form}
      <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
      ${isConfirmed ? '<script>document.querySelector("button").click()</script>' : ''}`,
  )
}

export const messagePage = (title: string, message: string): string =>
  page(title, `<p>${escaped(message)}</p>`)
