// Creates Tollgate's user, when the database is first started. `root` is for people.
const password = fs.readFileSync('/run/mongodb-server/tollgate-password', 'utf8');

db.getSiblingDB('admin').createUser({
  user: 'tollgate',
  pwd: password,
  roles: [
    { role: 'readWrite', db: 'tollgate' },
    // `tollgate migrate` shows the progress of a build.
    { role: 'clusterMonitor', db: 'admin' },
  ],
});
