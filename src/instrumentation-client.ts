// Next calls the exports of this file by their names.
export { startNavigation as onRouterTransitionStart } from './components/shell/navigation/navigation-target';
