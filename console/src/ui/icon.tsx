/** The icons. They are decorative: each stands next to a text or in a labelled element. */

import type { ReactNode } from 'react'

const shapes = {
  bolt: <path d="M13 3 5 13.5h6L10 21l8-10.5h-6z" />,
  chart: <path d="M4 20V10m5 10V4m5 16v-7m5 7V8" />,
  list: <path d="M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01" />,
  review: <path d="M9 3.5h6v4H9zM9 5.500H5.500V21h13V5.500H15M9 14l2.200 2.200 4-4.400" />,
  layers: <path d="m12 3 9 5-9 5-9-5zm-9 10 9 5 9-5" />,
  target: (
    <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-4.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM12 12h.01" />
  ),
  route: (
    <path d="M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm12 13a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM8.5 5.5H15a3.5 3.5 0 0 1 0 7H9a3.5 3.5 0 0 0 0 7h6.5" />
  ),
  partners: (
    <path d="M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7Zm-6 9c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5m1-9.200a3.3 3.3 0 0 0 0-6.300M17.5 14.900c2.1.700 3.5 2.6 3.5 5.1" />
  ),
  policy: (
    <path d="M12 3 5 6v5c0 4.5 2.9 8.300 7 10 4.100-1.700 7-5.500 7-10V6zm-3 9 2.200 2.200L15.500 10" />
  ),
  hook: <path d="M12 3v10a4 4 0 1 1-4 4M12 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm4 5-4 4" />,
  pulse: <path d="M3 12h4l3-8 4 16 3-8h4" />,
  book: <path d="M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zm0 13a3 3 0 0 1 3-3h11" />,
  key: (
    <path d="M15.5 13a4.5 4.5 0 1 0-4.3-3.200L4 17v3h3l1-1v-2h2l2.2-2.200c.900.1 2.2.200 3.3-1.800ZM16 8h.01" />
  ),
  sun: (
    <path d="M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.400M5.6 18.4 7 17M17 7l1.4-1.4" />
  ),
  moon: <path d="M20 14.500A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.500Z" />,
  screen: <path d="M4 5h16v11H4zm5 15h6m-3-4v4" />,
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  check: <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm-4-9 3 3 5-6" />,
  warn: <path d="M12 4 2.5 20h19zm0 6v4.500m0 2.500h.01" />,
  stop: <path d="M8.3 3h7.400L21 8.300v7.400L15.7 21H8.300L3 15.700V8.300zM8 12h8" />,
  diamond: <path d="M12 3 21 12l-9 9-9-9zM8.500 12h7" />,
  none: <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z" strokeDasharray="3 3.300" />,
  info: <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-10v5.500m0-9h.01" />,
  copy: <path d="M9 9h11v11H9zM15 9V4H4v11h5" />,
  download: <path d="M12 4v11m-5-4.5 5 4.5 5-4.500M4 20h16" />,
  upload: <path d="M12 16V5M7 9.5 12 5l5 4.500M4 20h16" />,
  arrow: <path d="M4 12h15m-6-6 6 6-6 6" />,
  'arrow-up': <path d="M12 20V5m-6 6 6-6 6 6" />,
  back: <path d="M20 12H5m6-6-6 6 6 6" />,
  search: <path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm5-2 5 5" />,
  clock: <path d="M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5.500l3.5 2" />,
  user: <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 9c0-4 3.5-6.5 8-6.500s8 2.5 8 6.5" />,
  more: (
    <path d="M5 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2Zm7 0a1 1 0 1 0 0-2 1 1 0 0 0 0 2Zm7 0a1 1 0 1 0 0-2 1 1 0 0 0 0 2Z" />
  ),
  inbox: <path d="M4 13h4l1.500 3h5L16 13h4M6 5h12l2 8v6H4v-6z" />,
  history: <path d="M4 4v5h5M4.500 9A8 8 0 1 1 4 13m8-5v5l3 2" />,
  external: <path d="M14 4h6v6m0-6L11 13m-3-7H4v14h14v-4" />,
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof shapes

export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[name]}
    </svg>
  )
}

/** The logo: a buoy in a fairway. */
export function Logo() {
  return (
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0b5cad" />
      <path d="M16 5l5 14h-10z" fill="#fff" />
      <path d="M6 23q5-4 10 0t10 0" fill="none" stroke="#fff" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}
