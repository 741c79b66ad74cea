/** Connection strings of a test database: as the role of api and worker, and as its owner, who may do anything. */
export function databaseUrls(serverUrl: string, name: string): { url: string; ownerUrl: string } {
  const owner = new URL(serverUrl);
  owner.pathname = `/${name}`;
  const runtime = new URL(owner);
  runtime.username = 'chasqui_runtime';
  runtime.password = 'runtime';
  return { url: runtime.href, ownerUrl: owner.href };
}
