/** Roles with what each may do, after what every role may do. */

import { Icon } from '../ui/icon.tsx'
import { roleLabels, roleMeanings, type Role } from './roles.ts'

function Item({ name, meaning }: { readonly name: string; readonly meaning: string }) {
  return (
    <li>
      <Icon name="check" />
      <span>
        {name}
        <span className="check-list-note">{meaning}</span>
      </span>
    </li>
  )
}

export function RoleList({ of }: { readonly of: readonly Role[] }) {
  return (
    <ul className="check-list">
      {!of.includes('viewer') && <Item name="Every role" meaning={roleMeanings.viewer} />}
      {of.map((role) => (
        <Item key={role} name={roleLabels[role]} meaning={roleMeanings[role]} />
      ))}
    </ul>
  )
}
