// Makes the server a replica set of one member, and waits until it accepts writes.
const password = fs.readFileSync('/run/mongodb-server/root-password', 'utf8');
const wait = 'directConnection=true&serverSelectionTimeoutMS=60000';
db = connect(`mongodb://root:${password}@mongodb/admin?${wait}`);

try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'tollgate', members: [{ _id: 0, host: 'mongodb:27017' }] });
}
while (!db.hello().isWritablePrimary) sleep(500);
print('The replica set accepts writes.');
