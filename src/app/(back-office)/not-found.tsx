import { NoSuchPage } from '../../components/shell/dead-end';

export default NoSuchPage;
