/** The page for unknown addresses. It needs no script. */

import { framedPage, type PageFiles } from './frame.ts'

export function notFoundPage(files: PageFiles): string {
  return framedPage({
    title: 'Page not found · Fairway',
    place: null,
    files,
    body: `<main class="not-found" id="content" tabindex="-1">
<p class="not-found-code">404</p>
<h1>Page not found</h1>
<p>There is no page at this address. Check the address, or go on from here:</p>
<ul>
<li><a href="/">Home page</a>: verify a payment, and open the console</li>
<li><a href="/guide/">Guide</a>: how to use and run Fairway</li>
<li><a href="/docs/">API reference</a>: every endpoint, field and error</li>
</ul>
</main>`,
  })
}
