/** A name server on the loopback interface, so that an endpoint with a name can be registered without a network. */

import { createUDPServer, Packet } from 'dns2'

/** Public, as an endpoint has to be. Nothing is sent to it: events go out only where a stage has a receiver. */
const address = '93.184.215.14'

export interface Names {
  /** As `address:port`. */
  readonly server: string
  readonly close: () => void
}

export async function openNames(): Promise<Names> {
  const server = createUDPServer((request, send) => {
    const response = Packet.createResponseFromRequest(request)
    for (const question of request.questions.filter(({ type }) => type === Packet.TYPE.A)) {
      response.answers.push(Packet.createResourceFromQuestion(question, { address, ttl: 300 }))
    }
    void send(response)
  })
  await server.listen(0, '127.0.0.1')
  return { server: `127.0.0.1:${server.address().port}`, close: () => void server.close() }
}
