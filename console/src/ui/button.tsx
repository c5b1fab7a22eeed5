/** Buttons, and links styled as buttons. A busy button keeps its label and focus. */

import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from './icon.tsx'

interface Look {
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly small?: boolean
  readonly icon?: IconName
}

const classOf = ({ variant = 'secondary', small = false }: Look): string =>
  `button button-${variant}${small ? ' button-small' : ''}`

type ButtonProps = Look &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & { readonly busy?: boolean }

export function Button({ variant, small, icon, busy = false, children, onClick, ...more }: ButtonProps) {
  return (
    <button
      type="button"
      {...more}
      className={classOf({ ...(variant && { variant: variant }), ...(small && { small }) })}
      // Not `disabled`, which would remove the focus from the button.
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}

export function LinkButton({
  variant,
  small,
  icon,
  href,
  onClick,
  children,
}: Look & { readonly href: string; readonly onClick?: () => void; readonly children: ReactNode }) {
  return (
    <Link
      href={href}
      className={classOf({ ...(variant && { variant: variant }), ...(small && { small }) })}
      {...(onClick && { onClick })}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
    </Link>
  )
}
