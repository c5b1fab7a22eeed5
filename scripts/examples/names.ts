/** A local DNS server, so that an endpoint with a host name can be registered without a network. */

import { createUDPServer, Packet } from 'dns2'

/** A public address, as endpoints require. Nothing is sent to it: only a stage with a receiver sends events. */
const address = '93.184.215.14'

export interface Names {
  /** `address:port` */
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
