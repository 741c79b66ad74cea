/** Connection strings of a test database: as the role of api and worker, and as its unrestricted owner. */
export function databaseUrls(serverUrl: string, name: string): { url: string; ownerUrl: string } {
  const owner = new URL(serverUrl);
  owner.pathname = `/${name}`;
  const runtime = new URL(owner);
  runtime.username = 'chasqui_runtime';
  runtime.password = 'runtime';
  return { url: runtime.href, ownerUrl: owner.href };
}

/** The same database over TCP: for what leads connections through a proxy, or asks for TLS. */
export function overTcp(url: string): URL {
  const tcp = new URL(url);
  // This parameter takes precedence over the host of the URL.
  tcp.searchParams.delete('host');
  return tcp;
}
