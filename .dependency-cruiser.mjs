export default {
  forbidden: [{ name: 'x', severity: 'error', from: { path: '^api' }, to: { path: '^core' } }],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['chasqui-source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
    doNotFollow: { path: 'node_modules' },
  },
};
