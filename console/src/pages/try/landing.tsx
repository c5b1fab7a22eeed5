/** The first page for visitors: what Fairway is above the demo, and the ways on below it. */

import { Link } from 'wouter'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { zone } from '../../ui/page.tsx'

export const landingTitle = 'One decision before money moves'

export const landingLead =
  'Before your system sends a payment, Fairway decides whether its corridor is fit: GO, DEGRADED or NO-GO, with a score and the reasons.'

const promises: readonly (readonly [icon: IconName, name: string, text: string])[] = [
  [
    'stop',
    'An outage never allows a payment',
    'If a signal cannot be read, the answer is a hold, never a guess.',
  ],
  [
    'key',
    'A retry never decides twice',
    'An idempotency key identifies the payment across retries and crashes.',
  ],
  [
    'history',
    'Every decision can be explained',
    'It is recorded permanently, with its signals, rules and proof.',
  ],
]

/** The foot of the page. */
export function Promises() {
  return (
    <footer className="landing-foot">
      <ul className="landing-promises">
        {promises.map(([icon, name, text]) => (
          <li key={name}>
            <Icon name={icon} size={20} />
            <h2>{name}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <p className="small soft">Fairway never moves money. {zone}</p>
    </footer>
  )
}

const ways: readonly (readonly [href: string, icon: IconName, name: string, text: string])[] = [
  [
    '/guide/integration',
    'bolt',
    'Integrate',
    'Clients for TypeScript and Python, or plain HTTP, and what to do with each answer.',
  ],
  ['/guide/', 'info', 'Guide', 'How it decides, how to change its policies, how to run it.'],
  [
    '/docs/',
    'book',
    'API reference',
    'Every endpoint, field and error, with requests to send from the page.',
  ],
]

export function WaysOn() {
  return (
    <nav className="landing-ways" aria-label="Next">
      {ways.map(([href, icon, name, text]) => (
        <a key={href} className="landing-way" href={href}>
          <Icon name={icon} size={20} />
          <span className="landing-way-name">{name}</span>
          <span className="small soft">{text}</span>
        </a>
      ))}
      <Link className="landing-way" href="/sign-in">
        <Icon name="user" size={20} />
        <span className="landing-way-name">Sign in</span>
        <span className="small soft">With an account or a key. New here? Get a sandbox key.</span>
      </Link>
    </nav>
  )
}
