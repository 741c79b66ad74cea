import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { apiVariables, readApiConfiguration } from '../platform/configuration/api.ts';
import { migrateVariables, readMigrateConfiguration } from '../platform/configuration/commands.ts';
import { companyVariables } from '../platform/configuration/mode-rule.ts';
import { readWorkerConfiguration, workerVariables } from '../platform/configuration/worker.ts';
import { root } from './paths.ts';
import { realEnvironment } from './testing/environment.ts';

const folder = join(root, 'infra/kubernetes');

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a different shape.
  [key: string]: any;
}

/** All objects of a file. @throws when it is no YAML. */
function readManifests(path: string): Manifest[] {
  return parseAllDocuments(readFileSync(join(folder, path), 'utf8')).map((document) => {
    expect(document.errors, path).toEqual([]);
    return document.toJS();
  });
}

interface Kustomization {
  resources: string[];
  images?: { name: string }[];
  patches?: { path?: string; patch?: string; target?: { kind: string } }[];
}
const readKustomization = (path: string): Kustomization =>
  parse(readFileSync(join(folder, path, 'kustomization.yaml'), 'utf8'));

const base = readKustomization('base').resources.flatMap((file) => readManifests(join('base', file)));
const of = (kind: string, name?: string): Manifest[] =>
  base.filter((one) => one.kind === kind && (name === undefined || one.metadata.name === name));
const secrets = readManifests('secrets.example.yaml');

/** Fields of each kind that are used here, as Kubernetes, KEDA and Kustomize spell them: a mistyped one would be dropped or refused. */
const versions: Readonly<Record<string, string>> = {
  ...{ Namespace: 'v1', ServiceAccount: 'v1', ConfigMap: 'v1', Service: 'v1', Deployment: 'apps/v1', Job: 'batch/v1' },
  ...{ PodDisruptionBudget: 'policy/v1', HorizontalPodAutoscaler: 'autoscaling/v2', ScaledObject: 'keda.sh/v1alpha1' },
  ...{ Ingress: 'networking.k8s.io/v1', NetworkPolicy: 'networking.k8s.io/v1' },
};
const containerFields = [
  ...['name', 'image', 'ports', 'envFrom', 'env', 'securityContext', 'resources', 'volumeMounts'],
  ...['startupProbe', 'readinessProbe', 'livenessProbe'],
];
const podFields = [
  ...['serviceAccountName', 'automountServiceAccountToken', 'enableServiceLinks', 'securityContext', 'containers'],
  ...['terminationGracePeriodSeconds', 'topologySpreadConstraints', 'volumes', 'restartPolicy'],
];
const specFields: Readonly<Record<string, readonly string[]>> = {
  Deployment: ['selector', 'strategy', 'template'],
  Job: ['backoffLimit', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished', 'template'],
  Service: ['selector', 'ports'],
  PodDisruptionBudget: ['maxUnavailable', 'selector'],
  HorizontalPodAutoscaler: ['scaleTargetRef', 'minReplicas', 'maxReplicas', 'metrics', 'behavior'],
  ScaledObject: [
    ...[
      'scaleTargetRef',
      'minReplicaCount',
      'maxReplicaCount',
      'pollingInterval',
      'cooldownPeriod',
      'fallback',
      'triggers',
    ],
  ],
  Ingress: ['ingressClassName', 'tls', 'rules'],
  NetworkPolicy: ['podSelector', 'policyTypes', 'ingress'],
};

const workloads = [...of('Deployment'), ...of('Job')].map((workload) => ({
  name: workload.metadata.name,
  workload,
  pod: workload.spec.template.spec,
  container: workload.spec.template.spec.containers[0],
}));

describe('the manifests of Kubernetes', () => {
  it('are known kinds with known fields, each object once', () => {
    for (const { apiVersion, kind, spec = {} } of base) {
      expect(apiVersion, kind).toBe(versions[kind]);
      expect(specFields[kind] ?? []).toEqual(expect.arrayContaining(Object.keys(spec)));
    }
    for (const { pod, container } of workloads) {
      expect(podFields).toEqual(expect.arrayContaining(Object.keys(pod)));
      expect(containerFields).toEqual(expect.arrayContaining(Object.keys(container)));
    }
    const ids = base.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('name files, objects and ports that exist', () => {
    expect(
      readdirSync(join(folder, 'base'))
        .filter((file) => file !== 'kustomization.yaml')
        .toSorted(),
    ).toEqual(readKustomization('base').resources.toSorted());
    for (const { workload } of workloads) {
      const { selector, template } = workload.spec;
      if (selector) expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    }
    const labels = workloads.map(({ workload }) => workload.spec.template.metadata.labels);
    for (const { spec } of [...of('PodDisruptionBudget'), ...of('Service')])
      expect(labels).toContainEqual(expect.objectContaining(spec.selector.matchLabels ?? spec.selector));
    for (const { spec } of [...of('HorizontalPodAutoscaler'), ...of('ScaledObject')])
      expect(of('Deployment', spec.scaleTargetRef.name)).toHaveLength(1);
    const ports = workloads.flatMap(({ container }) =>
      (container.ports ?? []).map(({ name }: { name: string }) => name),
    );
    for (const { spec } of of('Service')) for (const { targetPort } of spec.ports) expect(ports).toContain(targetPort);
    for (const { spec } of of('NetworkPolicy'))
      for (const { ports: allowed } of spec.ingress ?? [])
        for (const { port } of allowed) expect(ports).toContain(port);
    for (const { spec } of of('Ingress'))
      for (const { backend } of spec.rules[0].http.paths) expect(of('Service', backend.service.name)).toHaveLength(1);
  });

  it.each(workloads)(
    'let $name run without rights, as a user, on a file system that it cannot write',
    ({ pod, container }) => {
      expect(pod).toMatchObject({
        serviceAccountName: 'chasqui',
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container.securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      });
      expect(container.resources).toMatchObject({
        requests: { cpu: expect.any(String) },
        limits: { memory: expect.any(String) },
      });
    },
  );

  it.each(of('Deployment').map(({ metadata: { name } }) => name))('replace and scale %s without a gap', (name) => {
    const [{ spec }] = of('Deployment', name) as [Manifest];
    expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(of('PodDisruptionBudget', name)[0]?.spec.maxUnavailable).toBe(1);
    const scaler = [...of('HorizontalPodAutoscaler', name), ...of('ScaledObject', name)];
    expect(scaler).toHaveLength(1);
    expect(scaler[0]?.spec.minReplicas ?? scaler[0]?.spec.minReplicaCount).toBeGreaterThan(1);
    const [container] = spec.template.spec.containers;
    for (const probe of ['startupProbe', 'readinessProbe']) expect(container[probe].httpGet.path).toMatch(/\/ready$/);
    expect(container.livenessProbe.httpGet.path).toMatch(/\/live$/);
    // Kubernetes' grace period: the drain, and eight seconds for requests in flight.
    const drain =
      container.env.find(({ name: given }: { name: string }) => given === 'SHUTDOWN_DRAIN_SECONDS')?.value ?? 0;
    expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(drain) + 9);
  });

  it('scale workers by the jobs that wait in the queues', () => {
    expect(of('ScaledObject', 'worker')[0]?.spec.triggers[0].metadata.query).toContain(
      'chasqui_queue_jobs{state="waiting"}',
    );
  });
});

const processes = {
  api: { read: readApiConfiguration, variables: apiVariables },
  worker: { read: readWorkerConfiguration, variables: workerVariables },
  migrate: { read: readMigrateConfiguration, variables: migrateVariables },
} as const;

/** The variables of a container: from ConfigMaps, from Secrets with an operator's values, and its own. */
function environmentOf(name: keyof typeof processes, config: Record<string, string>): Record<string, string> {
  const { container } = workloads.find((one) => one.name === name) as (typeof workloads)[number];
  const given: Record<string, string> = {};
  for (const { configMapRef, secretRef } of container.envFrom) {
    if (configMapRef) Object.assign(given, config);
    if (!secretRef) continue;
    const secret = secrets.find(({ metadata }) => metadata.name === secretRef.name);
    expect(secret, secretRef.name).toBeDefined();
    for (const key of Object.keys(secret?.stringData))
      given[key] = (realEnvironment as Record<string, string>)[key] || 'x';
  }
  for (const { name: key, value } of container.env) given[key] = value;
  return {
    ...given,
    SMTP_URL: name === 'api' ? (given.SMTP_URL ?? '') : '',
    PUSH_PRIVATE_KEY: '',
    ADMIN_EMAIL: '',
    ADMIN_PASSWORD: '',
  };
}

describe.each(['production', 'staging'])('the overlay %s', (name) => {
  const path = join('overlays', name);
  const { images = [], patches = [], resources } = readKustomization(path);
  const patched = patches.flatMap(({ path: file }) => (file ? readManifests(join(path, file)) : []));
  const config = {
    ...of('ConfigMap', 'chasqui')[0]?.data,
    ...patched.find(({ kind }) => kind === 'ConfigMap')?.data,
  };

  it('changes only existing objects, and sets every image', () => {
    expect(resources).toEqual(['../../base']);
    for (const { kind, metadata } of patched)
      expect(of(kind, metadata.name), `${kind} ${metadata.name}`).toHaveLength(1);
    for (const { target, patch } of patches.filter((one) => one.patch)) {
      for (const object of of(target?.kind ?? '')) {
        for (const { path: pointer } of parse(patch as string) as { path: string }[]) {
          const found = pointer
            .split('/')
            .slice(1)
            .reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], object);
          expect(found, pointer).toBeDefined();
        }
      }
    }
    expect(images.map((one) => one.name).toSorted()).toEqual(
      workloads.map(({ container }) => container.image).toSorted(),
    );
    expect(
      readdirSync(join(folder, path))
        .filter((file) => file !== 'kustomization.yaml')
        .toSorted(),
    ).toEqual(patches.flatMap(({ path: file }) => (file ? [file] : [])).toSorted());
  });

  it.each(Object.keys(processes) as (keyof typeof processes)[])(
    'gives %s a valid configuration, and no secret of another',
    (server) => {
      const environment = environmentOf(server, config);
      expect(() => processes[server].read(environment)).not.toThrow();
      const known: readonly string[] = processes[server].variables;
      const own = Object.keys(environment).filter((key) => !(key in config) && environment[key] !== '');
      for (const key of own) expect(known, key).toContain(key);
    },
  );

  it('believes the addresses of a proxy, and not those of every pod', () => {
    const ranges = readApiConfiguration(environmentOf('api', config)).trustedProxies;
    expect(ranges.length).toBeGreaterThan(0);
    for (const range of ranges) expect(Number(range.split('/')[1] ?? 32), range).toBeGreaterThanOrEqual(24);
  });

  it('has only variables of api and worker in the ConfigMap, and none that is secret', () => {
    for (const key of Object.keys(config)) {
      expect([...apiVariables, ...workerVariables], key).toContain(key);
      expect(key).not.toMatch(/SECRET|PASSWORD|_KEY$|SMTP/);
    }
    if (name === 'production') expect(Object.keys(config)).toEqual(expect.arrayContaining([...companyVariables]));
  });
});
