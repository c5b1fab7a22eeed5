/** The name of a setting, which leads to its row in the guide. */

/** The page of the guide that lists all settings. */
const settingsPage = '/guide/settings'

export function Setting({ name }: { readonly name: string }) {
  return (
    <a href={`${settingsPage}#${name}`}>
      <code>{name}</code>
    </a>
  )
}
