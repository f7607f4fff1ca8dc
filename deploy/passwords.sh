#!/bin/sh
# Makes the passwords between the services, and their certificate authority, each in a volume that only its readers have. Existing
# ones stay as they are.
set -eu

# The user of MongoDB in its image.
mongodb_user=999

random() {
  head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'
}

# Writes standard input to a file that does not exist. A crash leaves no half of it.
make() {
  if [ -e "$1" ]; then cat > /dev/null; return; fi
  cat > "$1.new"
  chmod 444 "$1.new"
  mv "$1.new" "$1"
}

random | make /run/postgres/password

server=/run/mongodb-server
random | make $server/root-password
random | make $server/tollgate-password
random | make $server/keyfile
# MongoDB refuses a key file that others can read.
chmod 400 $server/keyfile
chown $mongodb_user $server/keyfile

# The authority of certificates for names that end in .localhost. Commands in containers trust it.
if [ ! -e /run/authority/root.crt ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
    -subj '/CN=Tollgate on this machine' -addext keyUsage=critical,keyCertSign,cRLSign \
    -keyout /run/authority-key/root.key -out /run/authority/root.crt.new
  chmod 444 /run/authority/root.crt.new
  mv /run/authority/root.crt.new /run/authority/root.crt
fi

password=$(cat $server/tollgate-password)
printf 'mongodb://tollgate:%s@mongodb/tollgate?replicaSet=tollgate&authSource=admin\n' "$password" |
  make /run/mongodb/uri
