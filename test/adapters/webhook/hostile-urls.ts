/** URLs that lead where a webhook must never go, or hide where they lead, each under what is said of it. */

export interface HostileGroup {
  readonly reason: string
  readonly urls: readonly string[]
}

const words = (text: string): string[] => text.trim().split(/\s+/)

const schemes = `
  http://hooks.example.com/ HTTP://hooks.example.com/ http://127.0.0.1:{port}/ http://localhost:{port}/
  http://[::1]:{port}/ ws://127.0.0.1:{port}/ wss://127.0.0.1:{port}/ ftp://127.0.0.1:{port}/ ftps://127.0.0.1/
  file:///etc/passwd file://localhost/etc/passwd gopher://127.0.0.1:{port}/_POST dict://127.0.0.1:{port}/info
  ldap://127.0.0.1:{port}/ tftp://127.0.0.1/x ssh://127.0.0.1:22/ jar:https://127.0.0.1!/ view-source:https://127.0.0.1/
  data:text/plain,x javascript:alert(1) blob:https://hooks.example.com/1 about:blank mailto:root@localhost
  unix:/var/run/docker.sock http+unix://%2Fvar%2Frun%2Fdocker.sock/info httpss://hooks.example.com/
  hooks.example.com 127.0.0.1:{port} localhost:{port} //127.0.0.1:{port}/ /hook ?url=https://127.0.0.1 #
  https https: https:/ https:// https:/// https://? https://# https://:{port}/
  https:127.0.0.1:{port} https:/127.0.0.1:{port}/ https:///127.0.0.1:{port}/ https:////127.0.0.1:{port}/
  https:\\\\127.0.0.1:{port}\\ https:/\\127.0.0.1:{port}/`

/** The parser cannot read these at all. */
const unreadable = `
  https://[::1:{port}/ https://::1:{port}/ https://[]/ https://[127.0.0.1]:{port}/ https://[::127.0.0.1.]/
  https://[::1%lo]:{port}/ https://[::1%25lo]:{port}/ https://[fe80::1%25eth0]/ https://[v1.fe80]/ https://%5b::1%5d/
  https://256.0.0.1/ https://127.0.0.256/ https://1.2.3.4.5/ https://0x100000000/ https://4294967296/
  https://127.0.0.08/  https://hooks.example.0x7f/ https://hooks.example.1/
  https://127.0.0.1:65536/ https://127.0.0.1:-1/ https://127.0.0.1:https/ https://127.0.0.1:{port}:{port}/
  https://127.0.0.1%3A{port}/ https://127.0.0.1%2F.example.com/ https://hooks%00.example.com/
  https://hooks%20.example.com/ https://hooks%0a.example.com/ https://%zz.example.com/ https://hooks^.example.com/
  https://<localhost>/ https://%/ https://%E2%80%8B/ https://%C2%AD/ https://user%40localhost/`

/** Written as escapes, so that this page shows what is in them. */
const characters = [
  ' https://hooks.example.com/',
  'https://hooks.example.com/ ',
  'https://hooks.example.com/a b',
  '\thttps://127.0.0.1:{port}/',
  'https://127.0.0.1:{port}/\n',
  'ht\ntps://127.0.0.1:{port}/',
  'https:/\t/127.0.0.1:{port}/',
  'https://127.0.\r0.1:{port}/',
  'https://local\thost:{port}/',
  'https://hooks.example.com\t@127.0.0.1:{port}/',
  'https://hooks.example.com/\r\nHost: localhost',
  '\u0000https://127.0.0.1:{port}/',
  'https://127.0.0.1\u0000.example.com/',
  'https://hooks.example.com/\u007f',
  'https://\uff11\uff12\uff17.\uff10.\uff10.\uff11:{port}/',
  'https://127\u30020\u30020\u30021:{port}/',
  'https://127.0.0.\u2460:{port}/',
  'https://\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3:{port}/',
  'https://local\u00adhost:{port}/',
  'https://local\u200bhost:{port}/',
  'https://\u202ehooks.example.com/',
  'https://l\u03bfcalhost:{port}/',
  'https://hooks.ex\u00e4mple.com/',
  'https://hooks.example.com\u2044@localhost:{port}/',
  'https\uff1a//127.0.0.1:{port}/',
  '\ufeffhttps://127.0.0.1:{port}/',
  'https://hooks.example.com/\ud83d\ude80',
]

const backslashes = [
  'https://127.0.0.1:{port}\\',
  'https://127.0.0.1:{port}\\@hooks.example.com/',
  'https://hooks.example.com\\@127.0.0.1:{port}/',
  'https://hooks.example.com\\.localhost:{port}/',
  'https://hooks.example.com/\\..\\',
  'https://\\127.0.0.1:{port}/',
]

const credentials = `
  https://user@hooks.example.com/ https://user:password@hooks.example.com/ https://:password@hooks.example.com/
  https://@hooks.example.com/ https://:@hooks.example.com/ https://@@hooks.example.com/
  https://hooks.example.com@127.0.0.1:{port}/ https://hooks.example.com:443@127.0.0.1:{port}/
  https://hooks.example.com%2f@127.0.0.1:{port}/ https://hooks.example.com%23@localhost:{port}/
  https://127.0.0.1:{port}@hooks.example.com/ https://a@b@127.0.0.1:{port}/`

const fragments = `
  https://hooks.example.com/# https://hooks.example.com/#a https://hooks.example.com#@127.0.0.1:{port}/
  https://127.0.0.1:{port}#.example.com/ https://127.0.0.1:{port}/?#x`

const portZero = `https://hooks.example.com:0/ https://hooks.example.com:00000/ https://127.0.0.1:0/ https://[::1]:0/`

const localNames = `
  https://localhost:{port}/ https://LOCALHOST:{port}/ https://LocalHost:{port}/ https://localhost.:{port}/
  https://localhost..:{port}/ https://hooks.localhost:{port}/ https://a.b.LOCALHOST.:{port}/
  https://%6c%6f%63%61%6c%68%6f%73%74:{port}/ https://%4Cocalhost:{port}/ https://local%C2%ADhost:{port}/
  https://%E2%93%9Bocalhost:{port}/ https://%EF%BD%8Cocalhost:{port}/ https://localhost%2E:{port}/
  https://localhost%E3%80%82:{port}/ https://localhost.localdomain:{port}/ https://host.localdomain/
  https://printer.local:{port}/ https://PRINTER.LOCAL./ https://local/ https://a.b.local/
  https://metadata.google.internal/computeMetadata/v1/ https://METADATA.GOOGLE.INTERNAL./ https://internal/
  https://host.docker.internal:{port}/ https://gateway.docker.internal/ https://host.containers.internal/
  https://instance-data.ec2.internal/ https://kubernetes.default.svc.cluster.local/ https://router.home.arpa/
  https://home.arpa/ https://nas.lan/ https://wiki.intranet/ https://mail.corp/ https://router.home/ https://db.private/
  https://metadata/ https://kubernetes/ https://postgres:5432/ https://redis:6379/ https://intranet./ https://a:{port}/
  https://example/ https://com./ https://ip6-localhost:{port}/ https://xn--/ https://./ https://../ https://.localhost/
  https://.example.com/ https://hooks..example.com/ https://127.0.0.1..:{port}/ https://-hooks.example.com/
  https://hooks-.example.com/ https://--1.sslip.io:{port}/ https://*.example.com/ https://hooks!.example.com/ https://hooks,127.0.0.1.example.com/
  https://a'b.example.com/ https://$(id).example.com/ https://{label64}.example.com/ https://{name254}/`

const addresses = `
  https://127.0.0.1:{port}/ https://127.0.0.1.:{port}/ https://127.1:{port}/ https://127.0.1:{port}/ https://127.1.:{port}/
  https://127.255.255.254:{port}/ https://2130706433:{port}/ https://2130706433.:{port}/ https://017700000001:{port}/
  https://0x7f000001:{port}/ https://0X7F000001:{port}/ https://0x7f.0x0.0x0.0x1:{port}/ https://0177.0.0.1:{port}/
  https://0177.0x0.0.1:{port}/ https://0x7f.1:{port}/ https://00000177.0.0.01:{port}/ https://127.0x1:{port}/
  https://127.16777215/ https://0x0000007f.1:{port}/ https://%31%32%37.0.0.1:{port}/ https://127%2E0%2E0%2E1:{port}/
  https://%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1:{port}/ https://127%E3%80%820%E3%80%820%E3%80%821:{port}/
  https://%E2%91%A0%E2%91%A1%E2%91%A6.0.0.1:{port}/ https://0:{port}/ https://0.0.0.0:{port}/ https://0x0:{port}/
  https://00:{port}/ https://127.0.0.0x:{port}/ https://0.1:{port}/ https://0.0.0.0.:{port}/ https://10.0.0.1/ https://10.1/ https://167772161/
  https://012.0.0.1/ https://0xa000001/ https://172.16.0.1/ https://172.31.255.254/ https://192.168.0.1/
  https://192.168.1/ https://3232235521/ https://0300.0250.0.1/ https://100.64.0.1/ https://100.127.255.254/
  https://169.254.169.254/latest/meta-data/ https://169.254.169.254./ https://2852039166/ https://0xa9fea9fe/
  https://0251.0376.0251.0376/ https://0xa9.0xfe.0xa9.0xfe/ https://169.254.43518/ https://169.254.170.2/v2/credentials
  https://169.254.0.23/ https://169.254.42.42/ https://168.63.129.16/ https://0xa83f8110/ https://2822734096/
  https://0250.077.0201.020/ https://100.100.100.200/latest/meta-data/ https://192.0.0.192/latest/ https://192.0.0.8/
  https://192.0.2.1/ https://198.51.100.1/ https://203.0.113.1/ https://198.18.0.1/ https://198.19.255.254/
  https://192.88.99.1/ https://224.0.0.1/ https://239.255.255.250/ https://240.0.0.1/ https://255.255.255.255/
  https://4294967295/ https://0xffffffff/ https://[::1]:{port}/ https://[0:0:0:0:0:0:0:1]:{port}/
  https://[0000:0000:0000:0000:0000:0000:0000:0001]:{port}/ https://[::0001]:{port}/ https://[0::1]:{port}/
  https://[::0.0.0.1]:{port}/ https://[::]:{port}/ https://[0::]:{port}/ https://[::0.0.0.0]:{port}/
  https://[::ffff:127.0.0.1]:{port}/ https://[::FFFF:7F00:1]:{port}/ https://[0:0:0:0:0:ffff:127.0.0.1]:{port}/
  https://[::ffff:169.254.169.254]/ https://[::ffff:a9fe:a9fe]/ https://[::ffff:10.0.0.1]/ https://[::ffff:8.8.8.8]/
  https://[::ffff:0.0.0.0]:{port}/ https://[::127.0.0.1]:{port}/ https://[::7f00:1]:{port}/ https://[::8.8.8.8]/
  https://[::ffff:0:127.0.0.1]:{port}/ https://[::ffff:0:808:808]/ https://[64:ff9b::127.0.0.1]:{port}/
  https://[64:ff9b::a9fe:a9fe]/ https://[64:ff9b::8.8.8.8]/ https://[64:ff9b:1::7f00:1]:{port}/
  https://[2002:7f00:1::]:{port}/ https://[2002:a9fe:a9fe::1]/ https://[2002:808:808::1]/
  https://[2001::1]/ https://[2001:0:7f00:1:0:0:80ff:fffe]/ https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/
  https://[2001:db8::1]/ https://[3fff::1]/ https://[2001:2::1]/ https://[2001:10::1]/ https://[2001:20::1]/
  https://[100::1]/ https://[5f00::1]/ https://[fc00::1]/ https://[fd00::1]/ https://[fd00:ec2::254]/latest/
  https://[FD00:EC2::254]/latest/ https://[fd20:ce::254]/ https://[fd00:c1::a9fe:a9fe]/ https://[fe80::1]/
  https://[fe80::a9fe:a9fe]/ https://[febf::1]/ https://[fec0::1]/ https://[ff02::1]/ https://[ff05::1:3]/
  https://[4000::1]/ https://[1::1]/ https://[2a00::5efe:127.0.0.1]/ https://[2a00::200:5efe:10.0.0.1]/`

/** The name server of the tests says loopback, of one family or both, to every name but those of the next list. */
const namesOfLoopback = `
  https://127.0.0.1.nip.io:{port}/ https://7f000001.nip.io:{port}/ https://localtest.me:{port}/ https://lvh.me:{port}/
  https://127-0-0-1.sslip.io:{port}/ https://169.254.169.254.nip.io/
  https://hooks.example.com:{port}/ https://HOOKS.EXAMPLE.COM.:{port}/ https://hooks.example.com.:{port}/x?y=z
  https://xn--mgbh0fb.example.com:{port}/ https://h%6Foks.example.com:{port}/ https://localhost.example.com:{port}/
  https://internal.example.com:{port}/ https://notlocal.example.com:{port}/ https://_dmarc.example.com:{port}/
  https://only-ipv6.example.com:{port}/ https://mixed.example.com:{port}/ https://mixed-ipv6.example.com:{port}/
  https://mapped.example.com:{port}/ https://metadata.example.com:{port}/ https://azure.example.com:{port}/`

const namesOfNothing = `
  https://nowhere.example.com:{port}/ https://nothing.example.com:{port}/ https://broken.example.com:{port}/`

/** The port is the sentinel's, wherever a wrong turn could lead to it. */
export function hostileUrls(port: number): readonly HostileGroup[] {
  const fill = (urls: readonly string[]): string[] =>
    urls.map((url) =>
      url
        .replaceAll('{port}', String(port))
        .replaceAll('{label64}', 'a'.repeat(64))
        .replaceAll('{name254}', `${'a.'.repeat(125)}com1`),
    )
  const group = (reason: string, urls: readonly string[]): HostileGroup => ({ reason, urls: fill(urls) })
  return [
    group('must be a valid https URL', ['', ...words(schemes), ...words(unreadable)]),
    group('must contain only printable ASCII characters, without spaces', characters),
    group('must have at most 2,048 characters', [
      `https://hooks.example.com/${'a'.repeat(2_023)}`,
      `https://127.0.0.1:{port}/${'a'.repeat(100_000)}`,
      ' '.repeat(2_049),
    ]),
    group('must not contain a backslash', backslashes),
    group('must not contain a user name or password', words(credentials)),
    group('must not have a fragment', words(fragments)),
    group('must not use port 0', words(portZero)),
    group('must name a public host, not localhost or a local name', words(localNames)),
    group('must not lead to a private, local or reserved address', [
      ...words(addresses),
      ...words(namesOfLoopback),
    ]),
    group('does not resolve to an address', words(namesOfNothing)),
  ]
}
