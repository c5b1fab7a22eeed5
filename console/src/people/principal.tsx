/** The principal of an act: a person, or a key by the name of its owner. Names repeat, so the id is shown, too. */

import { Icon, type IconName } from '../ui/icon.tsx'

interface Principal {
  readonly kind: 'key' | 'person' | 'operator'
  readonly id: string
  readonly name: string
}

const kinds: Readonly<Record<Principal['kind'], { readonly label: string; readonly icon: IconName }>> = {
  person: { label: 'Person', icon: 'user' },
  key: { label: 'Key', icon: 'key' },
  operator: { label: 'Operator', icon: 'screen' },
}

export function PrincipalName({ of: { kind, id, name } }: { readonly of: Principal }) {
  const { label, icon } = kinds[kind]
  // The name of a principal that is gone is empty.
  const shown = name === '' ? label : name
  return (
    <span className="principal">
      <span className="principal-name" title={label}>
        <Icon name={icon} size={15} />
        <span className="anywhere">{kind === 'operator' ? `Operator ${shown}` : shown}</span>
      </span>
      {id !== name && <code className="small soft anywhere">{id}</code>}
    </span>
  )
}
